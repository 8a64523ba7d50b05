/** The files of osv.dev that offline scanners download: https://google.github.io/osv.dev/data/ */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

const files = {
  tag: 'Open formats',
  access: 'standard',
  machines: 'none',
  scope: 'formats',
  method: 'GET',
  reply: z.string(),
  streams: 'file',
} as const;

export const osvIndexFileEndpoint = defineEndpoint({
  ...files,
  name: 'osv_index_file',
  summary: 'ecosystems.txt, or modified_id.csv of all ecosystems, newest first',
  path: '/osv/{file}',
  params: z.object({ file: z.string().max(200) }),
});

export const osvFileEndpoint = defineEndpoint({
  ...files,
  name: 'osv_file',
  summary: 'all.zip, modified_id.csv or <id>.json of an ecosystem',
  path: '/osv/{ecosystem}/{file}',
  params: z.object({
    ecosystem: z.string().max(100),
    file: z.string().max(200),
  }),
});
