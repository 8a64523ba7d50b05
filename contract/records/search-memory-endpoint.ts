/** The in-memory indexes that answer searches. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

export const searchMemoryEndpoint = defineEndpoint({
  name: 'list_memory',
  summary:
    'The lists that this process has in memory to answer searches; PostgreSQL answers all others',
  tag: 'Settings',
  method: 'GET',
  path: '/searchmemory',
  access: 'admin',
  scope: 'manage',
  reply: z.object({
    /** Limit of all lists in bytes: SEARCH_MEMORY_MB. */
    maxBytes: z.number(),
    lists: z.array(
      z.object({
        list: z.string(),
        label: z.string(),
        bytes: z.number(),
        /** Records that are not withdrawn. */
        records: z.number(),
        /** False while the list is being loaded. */
        complete: z.boolean(),
      }),
    ),
  }),
});
