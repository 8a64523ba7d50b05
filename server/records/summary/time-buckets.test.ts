import { maxBuckets } from '@patch/contract/search-summary-endpoint.ts';
import { expect, test } from 'vitest';
import { bucketFinder, timeBuckets, yearEdges } from './time-buckets.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);
const utc = { timeZone: 'UTC', now };

test.each([
  [0, 'day', 1],
  [30 * day, 'day', 31],
  [200 * day, 'week', 30],
  [3 * 365 * day, 'month', 36],
  [20 * 365 * day, 'year', 20],
])('a span of %i ms is drawn by the %s', (span, unit, buckets) => {
  const last = Date.UTC(2024, 11, 31, 12);
  const drawn = timeBuckets(last - span, last, utc);
  expect([drawn.unit, drawn.edges.length - 1]).toEqual([unit, buckets]);
});

test('never draws more buckets than allowed, whatever the span', () => {
  for (let days = 0; days < 60_000; days += 13) {
    const { edges } = timeBuckets(now - days * day, now, utc);
    expect(edges.length - 1).toBeLessThanOrEqual(maxBuckets);
  }
});

test('a week begins on Monday, a month and a year on their first day', () => {
  const weeks = timeBuckets(Date.UTC(2024, 0, 3), Date.UTC(2024, 8, 1), utc);
  expect(new Date(weeks.edges[0] ?? 0).getUTCDay()).toBe(1);
  const months = timeBuckets(Date.UTC(2020, 1, 14), Date.UTC(2024, 8, 1), utc);
  expect(months.edges[0]).toBe(Date.UTC(2020, 1, 1));
});

test('days are those of the time zone, with 23 and 25 hours where clocks change', () => {
  const { edges } = timeBuckets(Date.UTC(2024, 2, 30), Date.UTC(2024, 3, 1), {
    timeZone: 'Europe/Berlin',
    now,
  });
  const hours = Array.from(edges.slice(1), (edge, n) => (edge - (edges[n] ?? 0)) / 3_600_000);
  expect(hours).toContain(23);
});

test('an instant lies in the bucket that has begun and not ended', () => {
  const { edges } = timeBuckets(Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 3), utc);
  const bucketOf = bucketFinder(edges);
  const at = (instant: number) => bucketOf(instant);
  expect([
    at(Date.UTC(2024, 0, 1)),
    at(Date.UTC(2024, 0, 2) - 1),
    at(Date.UTC(2024, 0, 2)),
    at(Date.UTC(2024, 0, 4) - 1),
    at(Date.UTC(2024, 0, 4)),
    at(Date.UTC(2023, 11, 31)),
    at(Number.NaN),
  ]).toEqual([0, 0, 1, 2, -1, -1, -1]);
});

test('finds the same bucket where days do not begin at a quarter of an hour', () => {
  // Before zones, clocks in Istanbul were 1:56:52 ahead.
  const zone = { timeZone: 'Europe/Istanbul', now };
  const { edges } = timeBuckets(Date.UTC(1850, 0, 1), Date.UTC(1850, 1, 1), zone);
  const bucketOf = bucketFinder(edges);
  for (const [bucket, edge] of Array.from(edges.slice(0, -1)).entries())
    expect([bucketOf(edge), bucketOf(edge - 1)]).toEqual([bucket, bucket - 1]);
});

test('dates centuries ahead and before do not move the picture', () => {
  const { unit, edges } = timeBuckets(-8.64e15, 8.64e15, utc);
  expect(unit).toBe('year');
  expect(new Date(edges.at(-1) ?? 0).getUTCFullYear()).toBe(2037);
  expect(edges.length - 1).toBe(maxBuckets);
});

test('years have an edge each', () => {
  const edges = yearEdges(Date.UTC(2022, 5, 1), Date.UTC(2024, 5, 1), 'UTC');
  expect([...edges]).toEqual([2022, 2023, 2024, 2025].map((year) => Date.UTC(year, 0, 1)));
});
