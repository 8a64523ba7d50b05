/** Describes buckets of a histogram in the user's time zone: 'May 2026: 312, of these 40 critical'. */
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { dayAt } from '@patch/contract/dates/zoned-day.ts';
import type {
  Histogram,
  HistogramBucket,
} from '@patch/contract/records/search-summary-endpoint.ts';
import { dayDate } from '../values/day-date.ts';
import { formatNumber } from '../widgets/format-number.ts';

type Unit = Histogram['unit'];
type Span = Pick<HistogramBucket, 'from' | 'to'>;

const months = new Map<string, Intl.DateTimeFormat>();

function formatMonth(instant: number, zone: string): string {
  const format =
    months.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, month: 'short', year: 'numeric' });
  months.set(zone, format);
  return format.format(instant);
}

/** Returns 'May 2026', 'Week of May 11, 2026'. */
export function bucketName({ from }: Pick<Span, 'from'>, unit: Unit, zone: string): string {
  switch (unit) {
    case 'year':
      return String(dayAt(from, zone).year);
    case 'month':
      return formatMonth(from, zone);
    case 'week':
      return `Week of ${dayDate(from, zone)}`;
    case 'day':
      return dayDate(from, zone);
  }
}

/** Describes a span of buckets. A single bucket has one name; weeks are written as first and last day. */
export function spanName(first: Span, last: Span, unit: Unit, zone: string): string {
  if (first.from === last.from) return bucketName(first, unit, zone);
  if (unit === 'week') return `${dayDate(first.from, zone)} – ${dayDate(last.to - 1, zone)}`;
  return `${bucketName(first, unit, zone)} – ${bucketName(last, unit, zone)}`;
}

/** Sorts severities, highest first; unknown words come last. */
export function sortSeverities(words: Iterable<string>): readonly string[] {
  const rank = (word: string) => (severities as readonly string[]).indexOf(word);
  return [...new Set(words)].toSorted((a, b) => rank(b) - rank(a));
}

/** Describes the number of records and how many have the two highest severities among them. */
export function countsText(buckets: readonly HistogramBucket[]): string {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { count, bySeverity } of buckets) {
    total += count;
    for (const [severity, bucketCount] of Object.entries(bySeverity))
      counts.set(severity, (counts.get(severity) ?? 0) + bucketCount);
  }
  const highest = sortSeverities(counts.keys())
    .slice(0, 2)
    .map((severity) => `${formatNumber(counts.get(severity) ?? 0)} ${severity.toLowerCase()}`);
  return highest.length === 0
    ? formatNumber(total)
    : `${formatNumber(total)}, of these ${highest.join(', ')}`;
}
