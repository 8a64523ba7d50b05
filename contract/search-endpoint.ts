/** The search call of every list: a page of the rows that match the filter and the keyword, and their total. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { integerText, SearchText } from './common-schemas.ts';
import { defineEndpoint } from './endpoint.ts';
import { keywordLength, maxKeywordLength } from './filter/keyword-terms.ts';
import { rowSchema, type WireRow } from './row-schema.ts';

export const largestPage = 1000;
/** Accepts '25' and 25; refuses '', '1e3', ' 1' and 1.5. */
const integerBetween = (least: number, most: number) =>
  z.union([z.number(), integerText]).pipe(z.number().int().min(least).max(most));

export const SearchQuery = z.strictObject({
  offset: integerBetween(0, Number.MAX_SAFE_INTEGER).default(0).describe('Rows to skip'),
  size: integerBetween(1, largestPage)
    .default(largestPage)
    .describe(`Rows to return, at most ${largestPage}`),
  sort: z
    .string()
    .max(500)
    .optional()
    .describe('Fields joined by commas, a leading minus for descending: -releaseDate,title'),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** The keyword of searches and saved views. */
export const Keyword = SearchText.refine(
  (keyword) => keywordLength(keyword) <= maxKeywordLength,
  `The keyword may have at most ${maxKeywordLength} characters, without the quotes around phrases`,
);

const SearchFields = z.strictObject({
  filter: SearchText.nullish().describe(
    "Conditions joined by `and`: lower(title) like '%openssl%' and releaseDate > 1700000000000",
  ),
  keyword: Keyword.nullish().describe(
    `Words that a record must all contain, anywhere in its text fields, its severity and its release, in any order: critical windows server 2022. Quotes make a phrase: "server 2022"; a quote inside is doubled. An exact identifier finds its record. At most ${maxKeywordLength} characters without these quotes`,
  ),
});

export const SearchBody = SearchFields.nullish();

/** The body for a list that shows one record of each update. */
const FoldingSearchBody = SearchFields.extend({
  includeFolded: z
    .boolean()
    .optional()
    .describe('Also the records that are folded under another record of the same update'),
}).nullish();
export type SearchBody = z.infer<typeof FoldingSearchBody>;

export interface SearchReply {
  readonly objList: readonly WireRow[];
  readonly totalCount: number;
}

export function searchEndpoint(list: ListDefinition) {
  return defineEndpoint({
    name: `search_${list.key}`,
    summary: `Search ${list.label}`,
    tag: list.label,
    method: 'POST',
    path: list.searchPath,
    access: 'standard',
    reads: true,
    scope: 'read',
    query: SearchQuery,
    body: Object.hasOwn(list.fields, 'folded') ? FoldingSearchBody : SearchBody,
    reply: z.object({
      objList: z.array(rowSchema(list)),
      totalCount: z.number().int(),
    }) as z.ZodType<SearchReply>,
  });
}
