/** Buckets of a histogram: adjacent days, weeks from Monday, months or years in a time zone. */
import { type Day, dayAt, startOfDay } from '@patch/contract/dates/zoned-day.ts';
import { type HistogramUnit, maxBuckets } from '@patch/contract/records/search-summary-endpoint.ts';

const dayLength = 86_400_000;
/** Limits the histogram, because vendors date some records centuries ahead. */
const yearsAhead = 10;
/** Instants outside of years with four digits are in no bucket. */
const earliest = Date.UTC(1000, 0, 2);
const latest = Date.UTC(9999, 11, 30);

export interface TimeBuckets {
  readonly unit: HistogramUnit;
  /** The first instant of each bucket, and the end of the last bucket. */
  readonly edges: Float64Array;
}

/** Creates buckets of the smallest unit with at most `maxBuckets` from the first to the last record. */
export function createTimeBuckets(
  first: number,
  last: number,
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): TimeBuckets {
  const to = clampInstant(last);
  const from = Math.min(to, clampInstant(first));
  const unit = chooseUnit(Math.floor((to - from) / dayLength));
  if (unit !== 'year') return { unit, edges: createEdges(unit, from, to, timeZone) };
  const end = Math.max(from, Math.min(to, now + yearsAhead * 365 * dayLength));
  const firstYear = Math.max(
    dayAt(from, timeZone).year,
    dayAt(end, timeZone).year - maxBuckets + 1,
  );
  const begin = startOfDay({ year: firstYear, month: 1, day: 1 }, timeZone);
  return { unit, edges: createEdges(unit, begin, end, timeZone) };
}

/** Returns the start of each year from the first to the last record, and the end of the last year. */
export function createYearEdges(first: number, last: number, timeZone: string): Float64Array {
  const to = clampInstant(last);
  return createEdges('year', Math.min(to, clampInstant(first)), to, timeZone);
}

const clampInstant = (instant: number) => Math.max(earliest, Math.min(instant, latest));

/** Reserves two buckets, because the first starts before and the last ends after the records. */
function chooseUnit(days: number): HistogramUnit {
  const buckets = maxBuckets - 2;
  if (days <= buckets) return 'day';
  if (days <= buckets * 7) return 'week';
  return days <= buckets * 28 ? 'month' : 'year';
}

/** In all current time zones days start at a multiple of 15 minutes. */
const quarter = 900_000;
const maxQuarters = 2_000_000;

/** Returns a function from an instant to its bucket, or to -1 for an instant outside of all buckets and for NaN. */
export function createBucketFinder(edges: Float64Array): (instant: number) => number {
  const first = edges[0] ?? Infinity;
  const end = edges.at(-1) ?? -Infinity;
  const quarters = (end - first) / quarter;
  if (quarters > maxQuarters || edges.some((edge) => (edge - first) % quarter !== 0))
    return (instant) => (instant >= first && instant < end ? findBucket(edges, instant) : -1);
  // A lookup table is faster than a binary search for a million dates.
  const buckets = new Uint16Array(Math.max(0, quarters));
  const toIndex = (edge = 0) => (edge - first) / quarter;
  for (let bucket = 0; bucket < edges.length - 1; bucket += 1)
    buckets.fill(bucket, toIndex(edges[bucket]), toIndex(edges[bucket + 1]));
  return (instant) =>
    instant >= first && instant < end
      ? (buckets[Math.floor((instant - first) / quarter)] ?? -1)
      : -1;
}

/** Returns the last bucket that does not start after the instant. */
function findBucket(edges: Float64Array, instant: number): number {
  let low = 0;
  let high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (instant < (edges[middle] ?? 0)) high = middle;
    else low = middle;
  }
  return low;
}

function createEdges(
  unit: HistogramUnit,
  from: number,
  to: number,
  timeZone: string,
): Float64Array {
  const edges: number[] = [];
  let day = getFirstDay(unit, dayAt(from, timeZone));
  for (let edge = startOfDay(day, timeZone); ; edge = startOfDay(day, timeZone)) {
    edges.push(edge);
    if (edge > to) return Float64Array.from(edges);
    day = getNextDay(unit, day);
  }
}

function getFirstDay(unit: HistogramUnit, { year, month, day }: Day): Day {
  switch (unit) {
    case 'day':
      return { year, month, day };
    case 'week': {
      const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
      return { year, month, day: day - ((weekday + 6) % 7) };
    }
    case 'month':
      return { year, month, day: 1 };
    case 'year':
      return { year, month: 1, day: 1 };
  }
}

/** Returns the next day, week, month or year. Its month and day may be out of range, which `startOfDay` accepts. */
function getNextDay(unit: HistogramUnit, { year, month, day }: Day): Day {
  switch (unit) {
    case 'day':
      return { year, month, day: day + 1 };
    case 'week':
      return { year, month, day: day + 7 };
    case 'month':
      return { year, month: month + 1, day };
    case 'year':
      return { year: year + 1, month, day };
  }
}
