/** How many updates a search of a list finds: asked beside the search where several records can be about one update. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { noParams, noQuery } from './no-input.ts';
import { SearchBody } from './search-call.ts';

/** Of a list with `countedBy`. */
export function updateCountCall(list: ListDefinition) {
  return defineCall({
    name: `count_updates_${list.key}`,
    summary: `How many updates a search of ${list.label} finds: records of the same ${list.countedBy ?? 'record'} count once`,
    tag: list.label,
    method: 'POST',
    path: `${list.searchPath}/updates`,
    access: 'standard',
    reads: true,
    scope: 'read',
    params: noParams,
    query: noQuery,
    body: SearchBody,
    reply: z.object({ totalCount: z.number().int(), updateCount: z.number().int() }),
  });
}
