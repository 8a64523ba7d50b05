/** Counts facet values and records over time for a search on a list in memory. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { shownSeverityField } from '@patch/catalogue/definition/record-name.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import {
  type FacetValue,
  type Histogram,
  maxFacetValues,
  type SearchSummary,
} from '@patch/contract/records/search-summary-endpoint.ts';
import type { ListMemory } from '../memory/list-memory.ts';
import type { RowSet } from '../memory/row-set.ts';
import type { WordColumn } from '../memory/word-column.ts';
import { type FailedGroups, findFailedGroups, getCountedRows } from './failed-groups.ts';
import type { SummaryRequest } from './summary-request.ts';
import { createBucketFinder, createTimeBuckets, createYearEdges } from './time-buckets.ts';

/** The search as evaluated so far, and the current time. */
export interface EvaluatedSearch {
  /** Conditions to evaluate in memory. */
  readonly conditions: readonly Condition[];
  /** Rows that match the rest of the search; null without a rest. */
  readonly restRows: RowSet | null;
  readonly now: number;
}

/** Returns null when a compared text is not in memory, or too many sequences would have to be compared. */
export function summarize(
  memory: ListMemory,
  { facets, histogram, timeZone }: SummaryRequest,
  { conditions, restRows, now }: EvaluatedSearch,
): SearchSummary | null {
  const failed = findFailedGroups(memory, conditions, restRows);
  if (failed === null) return null;
  const counted = facets.map((name) => [name, countFacet(memory, failed, name, timeZone)] as const);
  return {
    totalCount: failed.found.length,
    facets: Object.fromEntries(
      counted.map(([name, values]) => [name, values.slice(0, maxFacetValues)]),
    ),
    furtherValues: Object.fromEntries(
      counted.flatMap(([name, { length }]) =>
        length > maxFacetValues ? [[name, length - maxFacetValues]] : [],
      ),
    ),
    histogram:
      histogram === null ? null : createHistogram(memory, failed, histogram, { timeZone, now }),
  };
}

function countFacet(
  memory: ListMemory,
  failed: FailedGroups,
  name: string,
  timeZone: string,
): readonly FacetValue[] {
  const rows = getCountedRows(failed, name);
  const words = memory.words.get(name);
  return words === undefined
    ? countYears(
        memory.numbers.get(name)?.values ?? new Float64Array(),
        rows,
        dateZone(getField(memory.list, name), timeZone),
      )
    : sortFacetValues(memory.list, name, countWords(words, rows));
}

interface CountedWord {
  readonly count: number;
  /** The most frequent spelling. */
  readonly value: string | boolean;
}

function countWords(
  column: WordColumn,
  rows: Uint32Array,
): { readonly words: ReadonlyMap<string, CountedWord>; readonly without: number } {
  const byCode = new Uint32Array(column.distinct);
  const { codes } = column;
  for (const row of rows) {
    const code = codes[row] ?? 0;
    byCode[code] = (byCode[code] ?? 0) + 1;
  }
  const spellings = new Map<string, Map<string | boolean, number>>();
  for (const [code, count] of byCode.entries()) {
    if (count === 0) continue;
    // Counts a record once for a value, even with several spellings of it.
    const own = new Map(column.getElements(code).map((value) => [fold(String(value)), value]));
    for (const [folded, value] of own) {
      const spelled = spellings.get(folded) ?? new Map<string | boolean, number>();
      spelled.set(value, (spelled.get(value) ?? 0) + count);
      spellings.set(folded, spelled);
    }
  }
  const words = new Map<string, CountedWord>();
  for (const [folded, spelled] of spellings) {
    const [mostFrequent] = [...spelled].toSorted(
      ([a, countA], [b, countB]) => countB - countA || (String(a) < String(b) ? -1 : 1),
    );
    if (mostFrequent === undefined) continue;
    const count = [...spelled.values()].reduce((sum, each) => sum + each, 0);
    words.set(folded, { value: mostFrequent[0], count });
  }
  return { words, without: byCode[0] ?? 0 };
}

/** Sorts choices by descending rank, true before false, and other words by frequency. Words that are not a choice, then null, come last. */
function sortFacetValues(
  list: ListDefinition,
  name: string,
  { words, without }: ReturnType<typeof countWords>,
): readonly FacetValue[] {
  const { choices = [], kind } = getField(list, name);
  const ranks = new Map(choices.map((choice, rank) => [fold(String(choice)), rank]));
  const getRank = (folded: string) =>
    kind === 'flag' ? (folded === 'true' ? 1 : 0) : (ranks.get(folded) ?? -1);
  const values = [...words]
    .toSorted(
      ([a, left], [b, right]) =>
        getRank(b) - getRank(a) || right.count - left.count || (a < b ? -1 : 1),
    )
    .map(([folded, { value, count }]) => ({
      value: choices.find((_, rank) => rank === ranks.get(folded)) ?? value,
      count,
    })) as FacetValue[];
  return without === 0 ? values : [...values, { value: null, count: without }];
}

function countYears(
  dates: Float64Array,
  rows: Uint32Array,
  timeZone: string,
): readonly FacetValue[] {
  const span = findSpan(dates, rows);
  if (span === null) return rows.length === 0 ? [] : [{ value: null, count: rows.length }];
  const edges = createYearEdges(span.first, span.last, timeZone);
  const findBucket = createBucketFinder(edges);
  const counts = new Uint32Array(edges.length);
  let without = 0;
  for (const row of rows) {
    const bucket = findBucket(dates[row] ?? Number.NaN);
    if (bucket < 0) without += 1;
    else counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  // The day after the start of a year in any time zone is in that year in UTC.
  const year = (bucket: number) => new Date((edges[bucket] ?? 0) + 86_400_000).getUTCFullYear();
  const values = Array.from(counts, (count, bucket) => ({ value: year(bucket), count }))
    .filter(({ count }) => count > 0)
    .toReversed();
  return without === 0 ? values : [...values, { value: null, count: without }];
}

function findSpan(
  dates: Float64Array,
  rows: Uint32Array,
): { readonly first: number; readonly last: number } | null {
  let first = Infinity;
  let last = -Infinity;
  for (const row of rows) {
    const date = dates[row] ?? Number.NaN;
    if (date < first) first = date;
    if (date > last) last = date;
  }
  return first <= last ? { first, last } : null;
}

function createHistogram(
  memory: ListMemory,
  { found: rows }: FailedGroups,
  field: string,
  options: { readonly timeZone: string; readonly now: number },
): Histogram {
  const dates = memory.numbers.get(field)?.values ?? new Float64Array();
  const span = findSpan(dates, rows);
  if (span === null)
    return { field, unit: 'day', buckets: [], withoutDate: rows.length, outside: 0 };
  const { unit, edges } = createTimeBuckets(span.first, span.last, {
    now: options.now,
    timeZone: dateZone(getField(memory.list, field), options.timeZone),
  });
  const severities = findSeverityColumn(memory);
  const kinds = severities?.distinct ?? 1;
  const counts = new Uint32Array((edges.length - 1) * kinds);
  const findBucket = createBucketFinder(edges);
  let withoutDate = 0;
  let outside = 0;
  for (const row of rows) {
    const date = dates[row] ?? Number.NaN;
    const bucket = findBucket(date);
    if (bucket >= 0) {
      const at = bucket * kinds + (severities?.codes[row] ?? 0);
      counts[at] = (counts[at] ?? 0) + 1;
    } else if (Number.isNaN(date)) withoutDate += 1;
    else outside += 1;
  }
  const buckets = Array.from({ length: edges.length - 1 }, (_, bucket) => {
    const own = counts.subarray(bucket * kinds, (bucket + 1) * kinds);
    return {
      from: edges[bucket] ?? 0,
      to: edges[bucket + 1] ?? 0,
      count: sumCounts(own),
      bySeverity: severities === null ? {} : countBySeverity(memory.list, severities, own),
    };
  });
  return { field, unit, buckets, withoutDate, outside };
}

const sumCounts = (counts: Uint32Array) => counts.reduce((sum, count) => sum + count, 0);

/** Returns the column by which a histogram is stacked: the choice that is shown as a severity. */
function findSeverityColumn(memory: ListMemory): WordColumn | null {
  const name = shownSeverityField(memory.list);
  return name === undefined ? null : (memory.words.get(name) ?? null);
}

/** Counts records by severity, in the spelling of the choices, or of the vendor for other words. Omits records without a severity. */
function countBySeverity(
  list: ListDefinition,
  column: WordColumn,
  counts: Uint32Array,
): Readonly<Record<string, number>> {
  const { choices = [] } = list.fields[shownSeverityField(list) ?? ''] ?? {};
  const found: Record<string, number> = {};
  for (const [code, count] of counts.entries()) {
    if (count === 0) continue;
    const [word] = column.getElements(code);
    if (word === undefined) continue;
    const shown = choices.find((choice) => fold(String(choice)) === fold(String(word))) ?? word;
    found[String(shown)] = (found[String(shown)] ?? 0) + count;
  }
  return found;
}
