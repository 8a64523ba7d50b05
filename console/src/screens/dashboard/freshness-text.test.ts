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
  ['All 2 sources are fresh', [fresh, fresh]],
  ['The one source is fresh', [fresh, { ...silent, enabled: false }]],
  [
    '1 of 5 sources is fresh, 1 silent, 2 not synced, 1 of unknown rhythm',
    [
      fresh,
      silent,
      stateOfSource(),
      { ...fresh, lastSuccessAt: now - 3 * day },
      stateOfSource({ lastSuccessAt: now }),
    ],
  ],
  ['0 of 2 sources are fresh, 2 silent', [silent, silent]],
  ['No sources enabled', []],
])('%s', (words, sources) => {
  expect(describeFreshness(sources, now)).toBe(words);
});
