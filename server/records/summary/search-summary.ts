/** Counts the values of facets and the records over time of a search, from a list in memory. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import {
  type FacetValue,
  type Histogram,
  maxFacetValues,
  type SearchSummary,
} from '@patch/contract/search-summary-endpoint.ts';
import type { ListMemory } from '../memory/list-memory.ts';
import type { RowSet } from '../memory/row-set.ts';
import type { WordColumn } from '../memory/word-column.ts';
import { type FailedGroups, failedGroups, rowsCounted } from './failed-groups.ts';
import type { SummaryRequest } from './summary-request.ts';
import { bucketFinder, timeBuckets, yearEdges } from './time-buckets.ts';

/** What is counted, and when. */
export interface SummaryOf {
  /** Evaluated here, field by field. */
  readonly conditions: readonly Condition[];
  /** The rows that meet the rest of the search; null where there is no rest. */
  readonly named: RowSet | null;
  readonly now: number;
}

/** Null: a text is not held, or too much would have to be read for it. */
export function summarize(
  memory: ListMemory,
  { facets, histogram, timeZone }: SummaryRequest,
  { conditions, named, now }: SummaryOf,
): SearchSummary | null {
  const failed = failedGroups(memory, conditions, named);
  if (failed === null) return null;
  const counted = facets.map((name) => [name, facetOf(memory, failed, name, timeZone)] as const);
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
      histogram === null ? null : histogramOf(memory, failed, histogram, { timeZone, now }),
  };
}

function facetOf(
  memory: ListMemory,
  failed: FailedGroups,
  name: string,
  timeZone: string,
): readonly FacetValue[] {
  const rows = rowsCounted(failed, name);
  const words = memory.words.get(name);
  return words === undefined
    ? yearsOf(
        memory.numbers.get(name)?.values ?? new Float64Array(),
        rows,
        dateZone(fieldOf(memory.list, name), timeZone),
      )
    : inOrder(memory.list, name, wordsOf(words, rows));
}

interface CountedWord {
  readonly count: number;
  /** How most of the records spell it. */
  readonly value: string | boolean;
}

function wordsOf(
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
    // A record counts once for a value, however often and in whatever letters it names it.
    const own = new Map(column.elements(code).map((value) => [fold(String(value)), value]));
    for (const [folded, value] of own) {
      const spelled = spellings.get(folded) ?? new Map<string | boolean, number>();
      spelled.set(value, (spelled.get(value) ?? 0) + count);
      spellings.set(folded, spelled);
    }
  }
  const words = new Map<string, CountedWord>();
  for (const [folded, spelled] of spellings) {
    const [most] = [...spelled].toSorted(
      ([a, one], [b, other]) => other - one || (String(a) < String(b) ? -1 : 1),
    );
    if (most === undefined) continue;
    const count = [...spelled.values()].reduce((sum, one) => sum + one, 0);
    words.set(folded, { value: most[0], count });
  }
  return { words, without: byCode[0] ?? 0 };
}

/** Choices by rank, the highest first; yes before no; others by frequency. Words that are no choice, and no value, come last. */
function inOrder(
  list: ListDefinition,
  name: string,
  { words, without }: ReturnType<typeof wordsOf>,
): readonly FacetValue[] {
  const { choices = [], kind } = fieldOf(list, name);
  const ranks = new Map(choices.map((choice, rank) => [fold(String(choice)), rank]));
  const rankOf = (folded: string) =>
    kind === 'flag' ? (folded === 'true' ? 1 : 0) : (ranks.get(folded) ?? -1);
  const values = [...words]
    .toSorted(
      ([a, one], [b, other]) =>
        rankOf(b) - rankOf(a) || other.count - one.count || (a < b ? -1 : 1),
    )
    .map(([folded, { value, count }]) => ({
      value: choices.find((_, rank) => rank === ranks.get(folded)) ?? value,
      count,
    })) as FacetValue[];
  return without === 0 ? values : [...values, { value: null, count: without }];
}

function yearsOf(dates: Float64Array, rows: Uint32Array, timeZone: string): readonly FacetValue[] {
  const span = spanOf(dates, rows);
  if (span === null) return rows.length === 0 ? [] : [{ value: null, count: rows.length }];
  const edges = yearEdges(span.first, span.last, timeZone);
  const bucketOf = bucketFinder(edges);
  const counts = new Uint32Array(edges.length);
  let without = 0;
  for (const row of rows) {
    const bucket = bucketOf(dates[row] ?? Number.NaN);
    if (bucket < 0) without += 1;
    else counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  // A year begins within its own year in every time zone a day later.
  const year = (bucket: number) => new Date((edges[bucket] ?? 0) + 86_400_000).getUTCFullYear();
  const values = Array.from(counts, (count, bucket) => ({ value: year(bucket), count }))
    .filter(({ count }) => count > 0)
    .toReversed();
  return without === 0 ? values : [...values, { value: null, count: without }];
}

function spanOf(
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

function histogramOf(
  memory: ListMemory,
  { found: rows }: FailedGroups,
  field: string,
  options: { readonly timeZone: string; readonly now: number },
): Histogram {
  const dates = memory.numbers.get(field)?.values ?? new Float64Array();
  const span = spanOf(dates, rows);
  if (span === null)
    return { field, unit: 'day', buckets: [], withoutDate: rows.length, outside: 0 };
  const { unit, edges } = timeBuckets(span.first, span.last, {
    now: options.now,
    timeZone: dateZone(fieldOf(memory.list, field), options.timeZone),
  });
  const severities = severityOf(memory);
  const kinds = severities?.distinct ?? 1;
  const counts = new Uint32Array((edges.length - 1) * kinds);
  const bucketOf = bucketFinder(edges);
  let withoutDate = 0;
  let outside = 0;
  for (const row of rows) {
    const date = dates[row] ?? Number.NaN;
    const bucket = bucketOf(date);
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
      count: countOfAll(own),
      bySeverity: severities === null ? {} : bySeverity(memory.list, severities, own),
    };
  });
  return { field, unit, buckets, withoutDate, outside };
}

const countOfAll = (counts: Uint32Array) => counts.reduce((sum, one) => sum + one, 0);

/** The column by which a histogram is stacked: the choice that is drawn as a severity. */
function severityOf(memory: ListMemory): WordColumn | null {
  const name = Object.keys(memory.list.fields).find(
    (field) => fieldOf(memory.list, field).look === 'severity',
  );
  return name === undefined ? null : (memory.words.get(name) ?? null);
}

/** In the words of the list's choices; other words as the vendor writes them. Records without a severity are in the bucket's count alone. */
function bySeverity(
  list: ListDefinition,
  column: WordColumn,
  counts: Uint32Array,
): Readonly<Record<string, number>> {
  const choices = Object.values(list.fields).find(({ look }) => look === 'severity')?.choices ?? [];
  const found: Record<string, number> = {};
  for (const [code, count] of counts.entries()) {
    if (count === 0) continue;
    const [word] = column.elements(code);
    if (word === undefined) continue;
    const shown = choices.find((choice) => fold(String(choice)) === fold(String(word))) ?? word;
    found[String(shown)] = (found[String(shown)] ?? 0) + count;
  }
  return found;
}
