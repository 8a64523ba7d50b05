/** What a query means, as a person writes it: `openssl critical on Debian 12`. Asked for while it is typed. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { Keyword, ReadQuery, SearchFields } from './search-endpoint.ts';

export const CountedQuery = ReadQuery.extend({
  totalCount: z
    .number()
    .int()
    .nullable()
    .describe(
      'Records that it finds; null while one word is typed that means only itself, and when counting would take too long',
    ),
});
export type CountedQuery = z.infer<typeof CountedQuery>;

export const queryReadingEndpoint = (list: ListDefinition) =>
  defineEndpoint({
    name: `interpret_${list.key}`,
    summary: `What a query means in ${list.label}`,
    tag: list.label,
    method: 'POST',
    path: `${list.searchPath}/reading`,
    access: 'standard',
    machines: 'own',
    reads: true,
    scope: 'read',
    body: z.strictObject({
      q: Keyword,
      filter: SearchFields.shape.filter,
      typing: z
        .boolean()
        .optional()
        .describe('True while the query is being typed: counts only what is counted at once'),
    }),
    reply: CountedQuery,
  });
