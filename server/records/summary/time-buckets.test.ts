import { maxBuckets } from '@patch/contract/records/search-summary-endpoint.ts';
import { expect, test } from 'vitest';
import { createBucketFinder, createTimeBuckets, createYearEdges } from './time-buckets.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);
const utc = { timeZone: 'UTC', now };

test.each([
  [0, 'day', 1],
  [30 * day, 'day', 31],
  [200 * day, 'week', 30],
  [3 * 365 * day, 'month', 36],
  [20 * 365 * day, 'year', 20],
])('divides a span of %i ms by the %s', (span, unit, buckets) => {
  const last = Date.UTC(2024, 11, 31, 12);
  const drawn = createTimeBuckets(last - span, last, utc);
  expect([drawn.unit, drawn.edges.length - 1]).toEqual([unit, buckets]);
});

test('never creates more buckets than allowed', () => {
  for (let days = 0; days < 60_000; days += 13) {
    const { edges } = createTimeBuckets(now - days * day, now, utc);
    expect(edges.length - 1).toBeLessThanOrEqual(maxBuckets);
  }
});

test('starts weeks on Monday and months on their first day', () => {
  const weeks = createTimeBuckets(Date.UTC(2024, 0, 3), Date.UTC(2024, 8, 1), utc);
  expect(new Date(weeks.edges[0] ?? 0).getUTCDay()).toBe(1);
  const months = createTimeBuckets(Date.UTC(2020, 1, 14), Date.UTC(2024, 8, 1), utc);
  expect(months.edges[0]).toBe(Date.UTC(2020, 1, 1));
});

test('creates a day of 23 hours when the clocks of the time zone change', () => {
  const { edges } = createTimeBuckets(Date.UTC(2024, 2, 30), Date.UTC(2024, 3, 1), {
    timeZone: 'Europe/Berlin',
    now,
  });
  const hours = Array.from(edges.slice(1), (edge, n) => (edge - (edges[n] ?? 0)) / 3_600_000);
  expect(hours).toContain(23);
});

test('finds the bucket that has started and not ended', () => {
  const { edges } = createTimeBuckets(Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 3), utc);
  const findBucket = createBucketFinder(edges);
  const at = (instant: number) => findBucket(instant);
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

test('finds the same bucket when days do not start at a multiple of 15 minutes', () => {
  // Before time zones were introduced, clocks in Istanbul were 1:56:52 ahead.
  const zone = { timeZone: 'Europe/Istanbul', now };
  const { edges } = createTimeBuckets(Date.UTC(1850, 0, 1), Date.UTC(1850, 1, 1), zone);
  const findBucket = createBucketFinder(edges);
  for (const [bucket, edge] of Array.from(edges.slice(0, -1)).entries())
    expect([findBucket(edge), findBucket(edge - 1)]).toEqual([bucket, bucket - 1]);
});

test('limits the range of dates that are centuries ahead or past', () => {
  const { unit, edges } = createTimeBuckets(-8.64e15, 8.64e15, utc);
  expect(unit).toBe('year');
  expect(new Date(edges.at(-1) ?? 0).getUTCFullYear()).toBe(2037);
  expect(edges.length - 1).toBe(maxBuckets);
});

test('returns an edge for each year', () => {
  const edges = createYearEdges(Date.UTC(2022, 5, 1), Date.UTC(2024, 5, 1), 'UTC');
  expect([...edges]).toEqual([2022, 2023, 2024, 2025].map((year) => Date.UTC(year, 0, 1)));
});
