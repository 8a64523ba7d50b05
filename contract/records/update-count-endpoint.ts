/** Counts the updates that a search finds, where several records can belong to one update. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { SearchBody } from './search-endpoint.ts';

/** For lists with `countedBy`. */
export function updateCountEndpoint(list: ListDefinition) {
  return defineEndpoint({
    name: `count_updates_${list.key}`,
    summary: `How many updates a search of ${list.label} finds: records of the same ${list.countedBy ?? 'record'} count once`,
    tag: list.label,
    method: 'POST',
    path: `${list.searchPath}/updates`,
    access: 'standard',
    machines: 'own',
    reads: true,
    scope: 'read',
    body: SearchBody,
    reply: z.object({ totalCount: z.number().int(), updateCount: z.number().int() }),
  });
}
