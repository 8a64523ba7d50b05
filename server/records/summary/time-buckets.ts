/** The bars of a histogram: days, weeks from Monday, months or years of a time zone, one after the other without a gap. */
import { type Day, dayAt, startOfDay } from '@patch/contract/dates/zoned-day.ts';
import { type HistogramUnit, maxBuckets } from '@patch/contract/search-summary-endpoint.ts';

const dayLength = 86_400_000;
/** A vendor that dates a record centuries ahead does not move the picture there. */
const yearsAhead = 10;
/** What lies outside stands in no bucket: years have four digits. */
const earliest = Date.UTC(1000, 0, 2);
const latest = Date.UTC(9999, 11, 30);

export interface TimeBuckets {
  readonly unit: HistogramUnit;
  /** The first instant of each bucket, and that after the last: one more than there are buckets. */
  readonly edges: Float64Array;
}

/** Buckets of the smallest unit in which the time from the first to the last record has at most `maxBuckets`. */
export function timeBuckets(
  first: number,
  last: number,
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): TimeBuckets {
  const to = clamped(last);
  const from = Math.min(to, clamped(first));
  const unit = unitOf(Math.floor((to - from) / dayLength));
  if (unit !== 'year') return { unit, edges: edgesOf(unit, from, to, timeZone) };
  const end = Math.max(from, Math.min(to, now + yearsAhead * 365 * dayLength));
  const firstYear = Math.max(
    dayAt(from, timeZone).year,
    dayAt(end, timeZone).year - maxBuckets + 1,
  );
  const begin = startOfDay({ year: firstYear, month: 1, day: 1 }, timeZone);
  return { unit, edges: edgesOf(unit, begin, end, timeZone) };
}

/** The years from the first to the last record: where each begins, and the end of the last. */
export function yearEdges(first: number, last: number, timeZone: string): Float64Array {
  const to = clamped(last);
  return edgesOf('year', Math.min(to, clamped(first)), to, timeZone);
}

const clamped = (instant: number) => Math.max(earliest, Math.min(instant, latest));

/** Two buckets less than allowed: the first and the last are begun before and ended after the records. */
function unitOf(days: number): HistogramUnit {
  const buckets = maxBuckets - 2;
  if (days <= buckets) return 'day';
  if (days <= buckets * 7) return 'week';
  return days <= buckets * 28 ? 'month' : 'year';
}

/** Days begin at a quarter of an hour everywhere since clocks follow zones. */
const quarter = 900_000;
const maxQuarters = 2_000_000;

/** Finds the bucket in which an instant lies; -1 for one outside, and for no date. */
export function bucketFinder(edges: Float64Array): (instant: number) => number {
  const first = edges[0] ?? Infinity;
  const end = edges.at(-1) ?? -Infinity;
  const quarters = (end - first) / quarter;
  if (quarters > maxQuarters || edges.some((edge) => (edge - first) % quarter !== 0))
    return (instant) => (instant >= first && instant < end ? bucketAt(edges, instant) : -1);
  // A million dates are looked up faster than they are searched for.
  const buckets = new Uint16Array(Math.max(0, quarters));
  const place = (edge = 0) => (edge - first) / quarter;
  for (let bucket = 0; bucket < edges.length - 1; bucket += 1)
    buckets.fill(bucket, place(edges[bucket]), place(edges[bucket + 1]));
  return (instant) =>
    instant >= first && instant < end
      ? (buckets[Math.floor((instant - first) / quarter)] ?? -1)
      : -1;
}

/** The last edge that is not after the instant. */
function bucketAt(edges: Float64Array, instant: number): number {
  let low = 0;
  let high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (instant < (edges[middle] ?? 0)) high = middle;
    else low = middle;
  }
  return low;
}

function edgesOf(unit: HistogramUnit, from: number, to: number, timeZone: string): Float64Array {
  const edges: number[] = [];
  let day = firstDay(unit, dayAt(from, timeZone));
  for (let edge = startOfDay(day, timeZone); ; edge = startOfDay(day, timeZone)) {
    edges.push(edge);
    if (edge > to) return Float64Array.from(edges);
    day = following(unit, day);
  }
}

function firstDay(unit: HistogramUnit, { year, month, day }: Day): Day {
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

/** Months and days may lie beyond their range: `startOfDay` accepts that. */
function following(unit: HistogramUnit, { year, month, day }: Day): Day {
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
