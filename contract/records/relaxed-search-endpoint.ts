/** Finds out which criterion leaves a search empty, by repeating it without each criterion. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { FieldCriterion } from '../filter/criterion.ts';
import { SearchBody } from './search-endpoint.ts';

/** Limit of tried criteria: the conditions of the filter, the keyword, and each term of a keyword with several. */
export const maxRelaxed = 8;

export const OmittedCriterion = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('condition'),
    at: z.number().int().describe('Place of the condition in the filter, from 0'),
  }),
  z.object({
    kind: z.literal('term'),
    at: z.number().int().describe('Place of the word or phrase in the keyword, from 0'),
  }),
  z.object({ kind: z.literal('keyword') }),
]);
export type OmittedCriterion = z.infer<typeof OmittedCriterion>;

const FoundRecords = z.object({
  /** As exact as the total of a search. */
  totalCount: z.number().int().min(1),
  newestReleaseDate: z
    .number()
    .nullable()
    .describe('Epoch milliseconds; null when no record has a release date'),
});
export type FoundRecords = z.infer<typeof FoundRecords>;

export const RelaxedSearch = FoundRecords.extend({ without: OmittedCriterion });
export type RelaxedSearch = z.infer<typeof RelaxedSearch>;

export const ReadingSearch = FoundRecords.extend({
  criteria: z.array(FieldCriterion).readonly().describe('To be added to those of the search'),
  keyword: z.string().describe('In place of the keyword of the search'),
});
export type ReadingSearch = z.infer<typeof ReadingSearch>;

export const RelaxedSearches = z.object({
  /** The keyword as criteria: `openssl critical on Debian 12`. Without one of them where all together find nothing. */
  readings: z.array(ReadingSearch),
  /** The searches without one criterion that find records; empty when the search itself does. */
  relaxed: z.array(RelaxedSearch),
  /** Criteria that were not tried, because there are too many or the search without one takes too long. */
  untriedCount: z.number().int(),
});
export type RelaxedSearches = z.infer<typeof RelaxedSearches>;

export function relaxedSearchEndpoint(list: ListDefinition) {
  return defineEndpoint({
    name: `relax_${list.key}`,
    summary: `Which criterion leaves a search of ${list.label} empty: what it finds without each`,
    tag: list.label,
    method: 'POST',
    path: `${list.searchPath}/relaxed`,
    access: 'standard',
    machines: 'own',
    reads: true,
    scope: 'read',
    body: SearchBody,
    reply: RelaxedSearches,
  });
}
