/** Every list is searched by the same call: a page of the rows that meet the filter and the keyword, and how many there are in all. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { noParams } from './no-input.ts';
import { rowSchema, type WireRow } from './row-schema.ts';
import { wholeNumberText } from './whole-number-text.ts';

export const largestPage = 1000;
export const maxKeywordLength = 255;

/** Accepts '25' and 25, refuses '', '1e3', ' 1' and 1.5. */
const wholeNumber = (least: number, most: number) =>
  z.union([z.number(), wholeNumberText]).pipe(z.number().int().min(least).max(most));

export const SearchQuery = z.strictObject({
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).describe('Rows to skip'),
  size: wholeNumber(1, largestPage)
    .default(largestPage)
    .describe(`Rows to return, at most ${largestPage}`),
  sort: z
    .string()
    .max(500)
    .optional()
    .describe('Fields joined by commas, a leading minus for descending: -releaseDate,title'),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchBody = z
  .strictObject({
    filter: z
      .string()
      .nullish()
      .describe(
        "Conditions joined by `and`: lower(title) like '%openssl%' and releaseDate > 1700000000000",
      ),
    keyword: z
      .string()
      .max(maxKeywordLength, `The keyword may have at most ${maxKeywordLength} characters`)
      .nullish()
      .describe('Matches anywhere in the text fields; an exact identifier finds its record'),
  })
  .nullish();
export type SearchBody = z.infer<typeof SearchBody>;

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
    params: noParams,
    query: SearchQuery,
    body: SearchBody,
    reply: z.object({
      objList: z.array(rowSchema(list)),
      totalCount: z.number().int(),
    }) as z.ZodType<SearchReply>,
  });
}
