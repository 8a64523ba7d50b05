import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { expect, it } from 'vitest';
import { describeFreshness } from './freshness-text.ts';

const now = Date.UTC(2026, 10, 21, 12);
const day = 24 * 3_600_000;
const fresh = stateOfSource({ lastSuccessAt: now, releases: releasedBefore(now, { daysAgo: 1 }) });
const silent = stateOfSource({
  lastSuccessAt: now,
  releases: releasedBefore(now, { daysAgo: 40 }),
});

it.each([
  ['2 sources synced', [fresh, fresh]],
  ['1 source synced', [fresh, { ...silent, enabled: false }]],
  [
    '2 sources synced, 1 silent, 1 overdue, 1 not synced yet',
    [
      fresh,
      silent,
      stateOfSource(),
      { ...fresh, lastSuccessAt: now - 3 * day },
      stateOfSource({ lastSuccessAt: now }),
    ],
  ],
  ['0 sources synced, 2 silent', [silent, silent]],
  ['No sources enabled', []],
])('%s', (words, sources) => {
  expect(describeFreshness(sources, now)).toBe(words);
});
