/** Summarizes a search: counts of the values of chosen fields, and records over time. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { isTimeZone } from '../dates/time-zone.ts';
import { SearchBody } from './search-endpoint.ts';

/** Values per facet in a reply, the most frequent ones. */
export const maxFacetValues = 200;
/** Bars of a histogram; its unit grows with the time span of the records. */
export const maxBuckets = 120;

export const histogramUnits = ['day', 'week', 'month', 'year'] as const;
export type HistogramUnit = (typeof histogramUnits)[number];

const SummaryFields = z.strictObject({
  facets: z
    .array(z.string().max(100))
    .max(20)
    .optional()
    .describe('Fields whose values are counted; absent: every facet of the list'),
  histogram: z
    .strictObject({
      field: z.string().max(100).describe('A date of the list'),
      timeZone: z
        .string()
        .max(100)
        .refine(isTimeZone, 'must be a time zone such as Europe/Istanbul')
        .default('UTC')
        .describe(
          'Where days, weeks, months and years begin: Europe/Istanbul. Years of facets too',
        ),
    })
    .nullish(),
});

export const SummaryBody = SearchBody.unwrap()
  .unwrap()
  .extend({ ...SummaryFields.shape, includeFolded: z.boolean().optional() })
  .nullish();
export type SummaryBody = z.infer<typeof SummaryBody>;

export const FacetValue = z.object({
  value: z
    .union([z.string(), z.number(), z.boolean()])
    .nullable()
    .describe('A year of a date, a word, or yes and no; null: the record has no value'),
  count: z.number().int().min(0),
});
export type FacetValue = z.infer<typeof FacetValue>;

export const HistogramBucket = z.object({
  from: z.number().describe('Epoch milliseconds, the first moment of the bucket'),
  to: z.number().describe('Epoch milliseconds, the first moment of the next bucket'),
  count: z.number().int(),
  bySeverity: z
    .record(z.string(), z.number().int())
    .describe('By severity as the list names it, without those that are 0; empty: no severity'),
});
export type HistogramBucket = z.infer<typeof HistogramBucket>;

export const Histogram = z.object({
  field: z.string(),
  unit: z.enum(histogramUnits),
  /** Consecutive without gaps; empty when no record has a date. */
  buckets: z.array(HistogramBucket),
  /** Records without a date, which are in no bucket. */
  withoutDate: z.number().int(),
  /** Records dated so far from all others that their bucket is omitted. */
  outside: z.number().int(),
});
export type Histogram = z.infer<typeof Histogram>;

export const SearchSummary = z.object({
  /** As exact as the total of the search. */
  totalCount: z.number().int(),
  /**
   * By field, most frequent first; choices by rank, years newest first. A facet's counts ignore the conditions on its own field,
   * so that they show what selecting another value would find.
   */
  facets: z.record(z.string(), z.array(FacetValue)),
  /** By field: the number of values beyond the most frequent ones. Absent for a field without any. */
  furtherValues: z.record(z.string(), z.number().int()),
  /** Respects conditions on the histogram's date, so that it matches the list. */
  histogram: Histogram.nullable(),
});
export type SearchSummary = z.infer<typeof SearchSummary>;

export function searchSummaryEndpoint(list: ListDefinition) {
  return defineEndpoint({
    name: `summarize_${list.key}`,
    summary: `Facets and histogram of a search of ${list.label}`,
    tag: list.label,
    method: 'POST',
    path: `${list.searchPath}/summary`,
    access: 'standard',
    machines: 'own',
    reads: true,
    scope: 'read',
    body: SummaryBody,
    reply: SearchSummary,
  });
}
