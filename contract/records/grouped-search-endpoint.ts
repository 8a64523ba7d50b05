/** A page of the updates that a search finds, where several records can belong to one update. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { rowSchema, type WireRow } from '../base/row-schema.ts';
import { SearchBody, SearchQuery } from './search-endpoint.ts';

export const maxGroupIds = 1000;

export const RowGroup = z.object({
  ids: z
    .array(z.number().int())
    .readonly()
    .describe(
      `The first ${maxGroupIds} matching records of the update, in the order of the search`,
    ),
  matching: z.number().int().describe('All matching records of the update'),
  records: z.number().int().describe('All records of the update that the list has'),
});
export type RowGroup = z.infer<typeof RowGroup>;

export interface GroupedReply {
  readonly objList: readonly WireRow[];
  readonly groups: readonly RowGroup[];
  readonly totalCount: number;
  readonly updateCount: number;
}

/** For lists with `countedBy`. Offset and size count updates. */
export function groupedSearchEndpoint(list: ListDefinition) {
  return defineEndpoint({
    name: `group_${list.key}`,
    summary: `Search ${list.label}, one row for each update: the first of its records in the order of the search`,
    tag: list.label,
    method: 'POST',
    path: `${list.searchPath}/grouped`,
    access: 'standard',
    machines: 'own',
    reads: true,
    scope: 'read',
    query: SearchQuery,
    body: SearchBody,
    reply: z.object({
      objList: z.array(rowSchema(list)),
      groups: z.array(RowGroup).describe('Of each row of `objList`, in the same order'),
      totalCount: z.number().int().describe('Matching records'),
      updateCount: z.number().int().describe('Updates of the matching records'),
    }) as z.ZodType<GroupedReply>,
  });
}
