import { describe, expect, test } from 'vitest';
import { releasedBefore, stateOfSource } from '../testing/state-of-source.ts';
import { dayLength } from './release-rhythm.ts';
import { freshnessText, getFreshness } from './source-freshness.ts';

const now = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;
const synced = { lastSuccessAt: now - hour };

test.each([
  ['Fresh', 'fresh', { ...synced, releases: releasedBefore(now, { daysAgo: 3, every: 2 }) }],
  [
    'Silent for 276 days, usually every 2 days',
    'silent',
    { ...synced, releases: releasedBefore(now, { daysAgo: 276, every: 2 }) },
  ],
  [
    'Silent for 5 days, usually every day',
    'silent',
    { ...synced, releases: releasedBefore(now, { daysAgo: 5 }) },
  ],
  [
    'Silent for 1,100 days, usually every 9.5 days',
    'silent',
    { ...synced, releases: releasedBefore(now, { daysAgo: 1100, every: 9.5 }) },
  ],
  ['Synced, publication rhythm unknown', 'rhythm_unknown', synced],
  [
    'Synced, publication rhythm unknown',
    'rhythm_unknown',
    { ...synced, releases: releasedBefore(now, { daysAgo: 900, every: null }) },
  ],
  [
    'Not synced for 3 days',
    'stale',
    { lastSuccessAt: now - 80 * hour, releases: releasedBefore(now, { daysAgo: 4 }) },
  ],
  ['Not synced for 2 days', 'stale', { lastSuccessAt: now - 49 * hour }],
  [
    'Not synced for 10 days; silent for 30 days then',
    'stale',
    { lastSuccessAt: now - 240 * hour, releases: releasedBefore(now, { daysAgo: 40 }) },
  ],
  [
    'Patch list silent for 9 days, usually every 2 days',
    'silent',
    {
      ...synced,
      releases: { ...releasedBefore(now, { daysAgo: 9, every: 2 }), listLabel: 'Patch list' },
    },
  ],
  [
    'AlmaLinux 8 not read for 3 days',
    'stale',
    { ...synced, unread: { label: 'AlmaLinux 8', readAt: now - 80 * hour } },
  ],
  [
    'Fresh',
    'fresh',
    {
      ...synced,
      unread: { label: 'AlmaLinux 8', readAt: now - 40 * hour },
      releases: releasedBefore(now, { daysAgo: 3, every: 2 }),
    },
  ],
  ['Never synced', 'never', {}],
  [
    'Switched off',
    'off',
    { ...synced, enabled: false, releases: releasedBefore(now, { daysAgo: 900 }) },
  ],
  ['No feed', 'unavailable', { available: false }],
])('describes %s', (words, freshness, more) => {
  const state = stateOfSource(more);
  expect([getFreshness(state, now), freshnessText(state, now)]).toEqual([freshness, words]);
});

describe('the silence of a vendor', () => {
  const freshness = (silence: number, every: number, lastSuccessAt = now) =>
    getFreshness(
      stateOfSource({
        lastSuccessAt,
        releases: releasedBefore(now, { daysAgo: silence / dayLength, every }),
      }),
      now,
    );

  test('begins after more than four of its usual gaps', () => {
    expect(
      [4 * 7 * dayLength, 4 * 7 * dayLength + 1].map((silence) => freshness(silence, 7)),
    ).toEqual(['fresh', 'silent']);
  });

  test('is judged at the time of the last sync', () => {
    expect(freshness(5 * dayLength, 1, now - dayLength)).toBe('fresh');
    expect(freshness(5 * dayLength + 1, 1, now - dayLength)).toBe('silent');
  });

  test('never begins while its newest record is dated a day ahead', () => {
    expect(freshness(-dayLength, 1)).toBe('fresh');
  });
});
