/** Shapes of a histogram: one path for each severity, and axis labels. */
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { dayAt } from '@patch/contract/dates/zoned-day.ts';
import type {
  Histogram,
  HistogramBucket,
} from '@patch/contract/records/search-summary-endpoint.ts';
import { type ColourName, severityLooks } from '../theme/tokens.ts';
import { dayDate } from '../values/day-date.ts';
import { sortSeverities } from './bucket-text.ts';

/** Height of the highest bar in drawing units; a bucket is one unit wide. */
export const chartHeight = 100;
const barWidth = 0.84;
/** Room for a label up to the right edge, relative to the distance of labels. */
const minRightShare = 0.65;
/** Minimum height, so that a bar of few records stays visible. */
const minBarHeight = 3;

export interface Stack {
  readonly severity: string;
  readonly colour: ColourName;
  /** Data of an SVG path. */
  readonly path: string;
}

/** Stacks the highest severity at the bottom, where bars are comparable. Buckets without severities have one colour. */
export function buildStacks(buckets: readonly HistogramBucket[]): readonly Stack[] {
  const highest = Math.max(1, ...buckets.map(({ count }) => count));
  const ranked = sortSeverities(buckets.flatMap(({ bySeverity }) => Object.keys(bySeverity)));
  const names = ranked.length === 0 ? [''] : ranked;
  const tops = buckets.map(() => chartHeight);
  return names.map((severity) => ({
    severity,
    colour: getColour(severity),
    path: buckets
      .map((bucket, index) => {
        const severityCount = severity === '' ? bucket.count : (bucket.bySeverity[severity] ?? 0);
        if (severityCount === 0) return '';
        const height = toHeight(severityCount, bucket.count, highest);
        const top = (tops[index] ?? chartHeight) - height;
        tops[index] = top;
        const left = index + (1 - barWidth) / 2;
        return `M${round(left)} ${round(top)}h${barWidth}v${round(height)}h-${barWidth}z`;
      })
      .join(''),
  }));
}

/** Returns the height of a severity within its bar, which has a minimum height. */
function toHeight(severityCount: number, barCount: number, highest: number): number {
  const bar = Math.max(minBarHeight, (barCount / highest) * chartHeight);
  return (severityCount / barCount) * bar;
}

const round = (value: number): number => Math.round(value * 100) / 100;

function getColour(severity: string): ColourName {
  const known = severities.find((name) => name === severity);
  if (known !== undefined) return severityLooks[known].colour;
  return severity === '' ? 'accent' : 'unranked';
}

interface AxisLabel {
  /** Index of the bucket above the label. */
  readonly index: number;
  readonly text: string;
}

/**
 * Returns labels for buckets at which a larger unit begins, as far as there is room. Labels the first bucket when none begins.
 * @param minDistance - Minimum distance between labels, as a fraction of the width.
 */
export function axisLabels(
  { buckets, unit }: Pick<Histogram, 'buckets' | 'unit'>,
  zone: string,
  minDistance: number,
): readonly AxisLabel[] {
  const begins = buckets.flatMap(({ from }, index) => {
    const before = buckets[index - 1];
    return isUnitStart(from, before?.from, unit, zone) ? [index] : [];
  });
  const room = minDistance * buckets.length;
  const placed = (begins.length === 0 ? [0] : begins).reduce<readonly AxisLabel[]>(
    (labels, index) => {
      const { from } = buckets[index] ?? {};
      const last = labels.at(-1)?.index ?? Number.NEGATIVE_INFINITY;
      const fits = index - last >= room && buckets.length - index >= room * minRightShare;
      return from === undefined || !fits
        ? labels
        : [...labels, { index, text: labelText(from, unit, zone) }];
    },
    [],
  );
  const [only, ...more] = placed;
  const from = buckets[only?.index ?? 0]?.from;
  // Beside no other label a day has room for its year.
  return only === undefined ||
    more.length > 0 ||
    from === undefined ||
    unit !== 'day' ||
    buckets.length - only.index < 2 * room * minRightShare
    ? placed
    : [{ ...only, text: dayDate(from, zone) }];
}

function isUnitStart(
  from: number,
  before: number | undefined,
  unit: Histogram['unit'],
  zone: string,
): boolean {
  if (unit === 'year') return true;
  const { month, day } = dayAt(from, zone);
  if (unit === 'month') return month === 1;
  if (unit === 'day') return day === 1 || day === 11 || day === 21;
  return before !== undefined && dayAt(before, zone).month !== month;
}

function labelText(from: number, unit: Histogram['unit'], zone: string): string {
  const { year } = dayAt(from, zone);
  if (unit === 'year' || unit === 'month') return String(year);
  const [day = '', yearText = ''] = dayDate(from, zone).split(', ');
  const [month = ''] = day.split(' ');
  if (unit === 'day') return day;
  return month === 'Jan' ? yearText : month;
}
