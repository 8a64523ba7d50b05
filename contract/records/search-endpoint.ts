/** The search call of every list: a page of the rows that match the filter and the keyword, and their total. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { integerText, SearchText } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { rowSchema, type WireRow } from '../base/row-schema.ts';
import { FieldCriterion } from '../filter/criterion.ts';
import { keywordLength, maxKeywordLength } from '../filter/keyword-terms.ts';

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

export const SearchFields = z.strictObject({
  filter: SearchText.nullish().describe(
    "Conditions joined by `and`: lower(title) like '%openssl%' and releaseDate > 1700000000000",
  ),
  keyword: Keyword.nullish().describe(
    `Words that a record must all contain, anywhere in its text fields, its severity and its release, in any order: critical windows server 2022. Quotes make a phrase: "server 2022"; a quote inside is doubled. An exact identifier finds its record. At most ${maxKeywordLength} characters without these quotes`,
  ),
});

export const SearchBody = SearchFields.nullish();

/** A query as a person writes it, in place of a keyword. Only a search reads it; the reply tells its meaning. */
const queryField = {
  q: Keyword.nullish().describe(
    'In place of a keyword: a query as a person writes it, such as `openssl critical on Debian 12`. Its products, releases, severities, flags, times and identifiers become conditions, a word with one wrong letter is corrected, `latest` is an order, and the rest stays a keyword. `not superseded` excludes, `before may 2026` is a range, `critical or important` is either. A part is left out when no record has it with the rest. The reply has its meaning in `reading`. Not beside `keyword`',
  ),
};

/** The body for a list that shows one record of each update. */
const FoldingSearchBody = SearchFields.extend({
  includeFolded: z
    .boolean()
    .optional()
    .describe('Also the records that are folded under another record of the same update'),
}).nullish();
export type SearchBody = z.infer<typeof FoldingSearchBody>;

const QuerySearchBody = SearchFields.extend(queryField).nullish();
const FoldingQuerySearchBody = SearchFields.extend({
  ...FoldingSearchBody.unwrap().unwrap().shape,
  ...queryField,
}).nullish();

export const QueryPart = z.object({
  text: z.string().describe('As typed; empty for the further words of a short form'),
  criterion: FieldCriterion.optional().describe('Where the part is the value of a field'),
  keyword: z.string().optional().describe('Where the part stays a word'),
  corrected: z
    .boolean()
    .optional()
    .describe('True for a keyword that replaces a typed word, which no record has'),
  leftOut: z
    .boolean()
    .optional()
    .describe(
      'True for a part that is not searched for: no record has it with the rest, or no condition says it, as a word behind `not`',
    ),
  sort: z.string().optional().describe('Where the part asks for an order, such as `latest`'),
});
export type QueryPart = z.infer<typeof QueryPart>;

/** What a query means. */
export const ReadQuery = z.object({
  /** In the order of the query, an order last, without words that only connect others. With those that are left out. */
  parts: z.array(QueryPart).readonly(),
  /** To be added to those of the search. */
  criteria: z.array(FieldCriterion).readonly(),
  /** The words that remain. */
  keyword: z.string(),
  sort: z
    .string()
    .optional()
    .describe('The order that the query asks for. It applies where the search states none'),
});
export type ReadQuery = z.infer<typeof ReadQuery>;

export interface SearchReply {
  readonly objList: readonly WireRow[];
  readonly totalCount: number;
  /** Only for a search with `q`. */
  readonly reading?: ReadQuery | undefined;
}

export function searchEndpoint(list: ListDefinition) {
  return defineEndpoint({
    name: `search_${list.key}`,
    summary: `Search ${list.label}`,
    tag: list.label,
    method: 'POST',
    path: list.searchPath,
    access: 'standard',
    machines: 'own',
    reads: true,
    scope: 'read',
    query: SearchQuery,
    body: Object.hasOwn(list.fields, 'folded') ? FoldingQuerySearchBody : QuerySearchBody,
    reply: z.object({
      objList: z.array(rowSchema(list)),
      totalCount: z.number().int(),
      reading: ReadQuery.optional(),
    }) as z.ZodType<SearchReply>,
  });
}
