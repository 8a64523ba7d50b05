/** Checks the summary of a random search by counting its rows one by one. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  maxFacetValues,
  type SearchSummary,
} from '@patch/contract/records/search-summary-endpoint.ts';
import { foldText, getValue, type PlainRow, plainFacet } from '../../../testing/plain-search.ts';
import type { RandomSearch } from '../../../testing/random-search.ts';
import { splitFacets } from '../../summary/criterion-facets.ts';
import { expectedRows, getDefinition, type Searched } from './expected-rows.ts';

/** Returns the facets with a missing value or a wrong count. */
export function wrongFacets(
  searched: Searched,
  search: RandomSearch,
  reply: SearchSummary,
): string[] {
  const { list, fields } = searched;
  return splitFacets(list, list.facets).fields.filter((field) => {
    const counted = expectedRows(searched, search, field);
    const expected = plainFacet(counted, field, getDefinition(fields, field));
    const values = reply.facets[field] ?? [];
    const further = Math.max(0, expected.size - maxFacetValues);
    return (
      values.length !== Math.min(maxFacetValues, expected.size) ||
      (reply.furtherValues[field] ?? 0) !== further ||
      values.some(
        ({ value, count }) => expected.get(value === null ? '' : foldText(String(value))) !== count,
      )
    );
  });
}

export const findDateField = (list: ListDefinition) =>
  ['releaseDate', 'published'].find((name) => Object.hasOwn(list.fields, name));

/** Returns errors of the histogram: buckets must count the records of their time by severity, without gaps, and omit none. */
export function wrongBuckets(
  expected: readonly PlainRow[],
  list: ListDefinition,
  { histogram }: SearchSummary,
): string[] {
  if (histogram === null) return ['no histogram'];
  const severity = Object.keys(list.fields).findLast(
    (name) => getField(list, name).look === 'severity',
  );
  const dates = expected.map((row) => getValue(row, histogram.field));
  const complaints: string[] = [];
  let inBuckets = 0;
  for (const [index, { from, to, count, bySeverity }] of histogram.buckets.entries()) {
    const own = expected.filter((_, n) => {
      const date = dates[n];
      return typeof date === 'number' && date >= from && date < to;
    });
    inBuckets += own.length;
    if (own.length !== count) complaints.push(`bucket ${index}: ${count} instead of ${own.length}`);
    if (index > 0 && histogram.buckets[index - 1]?.to !== from) complaints.push(`gap at ${index}`);
    const words = severity === undefined ? [] : own.map((row) => getValue(row, severity));
    const counts = new Map<string, number>();
    for (const word of words)
      if (typeof word === 'string') counts.set(word, (counts.get(word) ?? 0) + 1);
    const isSame =
      counts.size === Object.keys(bySeverity).length &&
      [...counts].every(([word, total]) => bySeverity[word] === total);
    if (!isSame) complaints.push(`bucket ${index}: ${JSON.stringify(bySeverity)}`);
  }
  const without = dates.filter((date) => date === null).length;
  if (histogram.withoutDate !== without) complaints.push('withoutDate');
  if (histogram.outside + without + inBuckets !== expected.length) complaints.push('outside');
  return complaints;
}
