import type {
  Histogram,
  HistogramBucket,
} from '@patch/contract/records/search-summary-endpoint.ts';
import { describe, expect, test } from 'vitest';
import { bucketName, countsText, spanName } from './bucket-text.ts';
import { axisLabels, buildStacks } from './histogram-shape.ts';

const bucket = (
  from: number,
  bySeverity: Record<string, number>,
  to = from + 1,
): HistogramBucket => ({
  from,
  to,
  count: Object.values(bySeverity).reduce((sum, count) => sum + count, 0),
  bySeverity,
});

/** Returns bucket index and height of each bar of a path. */
const heights = (path: string): readonly (readonly [number, number])[] =>
  [...path.matchAll(/M([\d.]+) [\d.]+h[\d.]+v([\d.]+)/g)].map(([, left, height]) => [
    Math.floor(Number(left)),
    Number(height),
  ]);

describe('bars', () => {
  test('are stacked by rank in proportion to each severity', () => {
    const stacks = buildStacks([
      bucket(1, { Low: 30, Critical: 10 }),
      bucket(2, {}),
      bucket(3, { Critical: 80 }),
    ]);
    expect(stacks.map(({ severity, colour }) => [severity, colour])).toEqual([
      ['Critical', 'critical'],
      ['Low', 'low'],
    ]);
    expect(stacks.map(({ path }) => heights(path))).toEqual([
      [
        [0, 12.5],
        [2, 100],
      ],
      [[0, 37.5]],
    ]);
  });

  test('have a minimum height', () => {
    const [stack] = buildStacks([bucket(1, { Low: 1 }), bucket(2, { Low: 100_000 })]);
    expect(heights(stack?.path ?? '')[0]).toEqual([0, 3]);
  });

  test('have one colour without severities', () => {
    const plain = { ...bucket(1, {}), count: 5 };
    expect(buildStacks([plain]).map(({ colour, path }) => [colour, heights(path)])).toEqual([
      ['accent', [[0, 100]]],
    ]);
  });
});

describe('the axis', () => {
  const months = (count: number): Histogram['buckets'] =>
    Array.from({ length: count }, (_, month) => bucket(Date.UTC(2022, 6 + month), {}));

  test('labels the years of months', () => {
    expect(axisLabels({ buckets: months(36), unit: 'month' }, 'UTC', 0.06)).toEqual([
      { index: 6, text: '2023' },
      { index: 18, text: '2024' },
      { index: 30, text: '2025' },
    ]);
  });

  test('omits labels without room', () => {
    const buckets = Array.from({ length: 40 }, (_, year) => bucket(Date.UTC(1990 + year, 0), {}));
    const labels = axisLabels({ buckets, unit: 'year' }, 'UTC', 0.14);
    expect(labels.map(({ text }) => text)).toEqual([
      '1990',
      '1996',
      '2002',
      '2008',
      '2014',
      '2020',
      '2026',
    ]);
  });

  test('labels the first bucket when no larger unit begins', () => {
    const days = [3, 4, 5].map((day) => bucket(Date.UTC(2026, 4, day), {}));
    expect(axisLabels({ buckets: days, unit: 'day' }, 'UTC', 0.06)).toEqual([
      { index: 0, text: 'May 03, 2026' },
    ]);
  });

  test('labels a single day with its year', () => {
    const buckets = [bucket(Date.UTC(2099, 0, 1), {})];
    for (const minDistance of [0.06, 0.14])
      expect(axisLabels({ buckets, unit: 'day' }, 'UTC', minDistance)).toEqual([
        { index: 0, text: 'Jan 01, 2099' },
      ]);
  });
});

describe('texts', () => {
  const may = bucket(Date.UTC(2026, 3, 30, 21), { Critical: 40, Important: 60, Low: 1212 });

  test("name a bucket in the user's time zone", () => {
    expect(bucketName(may, 'month', 'Europe/Istanbul')).toBe('May 2026');
    expect(bucketName(may, 'month', 'UTC')).toBe('Apr 2026');
    expect(bucketName({ from: Date.UTC(2026, 4, 11) }, 'week', 'UTC')).toBe('Week of May 11, 2026');
    expect(spanName(may, bucket(Date.UTC(2026, 5, 30, 21), {}), 'month', 'Europe/Istanbul')).toBe(
      'May 2026 – Jul 2026',
    );
  });

  test('contain the number of records and the highest severities among them', () => {
    expect(countsText([may])).toBe('1,312, of these 40 critical, 60 important');
    expect(countsText([{ ...may, bySeverity: {} }])).toBe('1,312');
  });
});
