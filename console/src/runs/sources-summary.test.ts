import type { Run, SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { expect, it } from 'vitest';
import { summariseSources } from './sources-summary.ts';

const toSource = (more: Partial<SourceState>, state?: Run['state']) =>
  stateOfSource({
    lastSuccessAt: 1,
    run: state === undefined ? null : ({ state } as Run),
    ...more,
  });

it('counts synced sources and those that need attention', () => {
  const quarantine = [{}] as unknown as SourceState['quarantine'];
  expect(summariseSources([toSource({}, 'succeeded'), toSource({ available: false })], 2)).toBe(
    '1 of 1 sources synced',
  );
  expect(summariseSources([toSource({ enabled: false })], 2)).toBe('No sources enabled');
  expect(
    summariseSources([
      toSource({ lastSuccessAt: null }, 'running'),
      toSource({}, 'failed'),
      toSource({ quarantine }, 'succeeded_with_warnings'),
      toSource({ quarantine }, 'succeeded_with_warnings'),
      toSource({ enabled: false, quarantine }, 'failed'),
    ]),
    // Times of 1970 are long overdue.
  ).toBe('3 of 4 sources synced, 1 running, 1 failed, 2 need a decision, 3 overdue, 1 disabled');
});

it('counts silent vendors', () => {
  const now = Date.UTC(2026, 10, 21);
  const silent = stateOfSource({
    lastSuccessAt: now,
    releases: releasedBefore(now, { daysAgo: 30 }),
  });
  expect(
    summariseSources(
      [silent, { ...silent, enabled: false }, toSource({ lastSuccessAt: now })],
      now,
    ),
  ).toBe('2 of 2 sources synced, 1 silent, 1 disabled');
});
