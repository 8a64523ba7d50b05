import { quarantineOf } from '@patch/contract/testing/quarantine-of.ts';
import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { expect, it } from 'vitest';
import { describeStrip, toReleaseCells } from './release-cells.ts';

const now = Date.UTC(2026, 10, 21, 12);
const day = 24 * 3_600_000;

it('describes each day with its date and count, and ends today', () => {
  const state = stateOfSource({
    releases: releasedBefore(now, { daysAgo: 0, perDay: { 0: 1, 3: 1200, 89: 12 } }),
  });
  const cells = toReleaseCells(state, now);
  expect(cells).toHaveLength(90);
  expect([0, 1, 86, 89].map((index) => cells[index]?.description)).toEqual([
    'Aug 24, 2026: 12 records',
    'Aug 25, 2026: no records',
    'Nov 18, 2026: 1,200 records',
    'Nov 21, 2026: 1 record',
  ]);
  expect([0, 1, 86, 89].map((index) => cells[index]?.level)).toEqual([2, 0, 4, 1]);
  expect(describeStrip(state, cells)).toBe(
    'Last 90 days: 1,213 records on 3 days, the last on Nov 21, 2026.',
  );
});

it('counts updates when several records can describe one', () => {
  const state = stateOfSource({
    source: 'wsus',
    releases: releasedBefore(now, { daysAgo: 0, perDay: { 0: 41 } }),
  });
  expect(toReleaseCells(state, now).at(-1)?.description).toBe('Nov 21, 2026: 41 updates');
});

it('marks a quarantine on its day, or on the first day when it began earlier', () => {
  const state = stateOfSource({
    releases: releasedBefore(now, { daysAgo: 0 }),
    quarantine: [
      quarantineOf({ quarantinedAt: now - 4 * day }),
      quarantineOf({ quarantinedAt: now - 200 * day, reason: 'content_lost', records: 1 }),
    ],
  });
  const cells = toReleaseCells(state, now);
  expect(
    cells.flatMap(({ isQuarantined, description }, index) =>
      isQuarantined ? [[index, description]] : [],
    ),
  ).toEqual([
    [
      0,
      'Aug 24, 2026: no records; Debian 12: content of 1 record in quarantine since May 05, 2026',
    ],
    [85, 'Nov 17, 2026: no records; Debian 12: withdrawal of 860 records in quarantine'],
  ]);
  expect(describeStrip(state, cells)).toContain(
    'Waiting for a decision: Aug 24, 2026: no records; Debian 12: content of 1 record in quarantine since',
  );
});

it('marks the days of a silence, but not those of a usual pause', () => {
  const silentDays = (daysAgo: number, every: number) => {
    const state = stateOfSource({
      lastSuccessAt: now,
      releases: releasedBefore(now, { daysAgo, every }),
    });
    return toReleaseCells(state, now).filter(({ isSilent }) => isSilent).length;
  };
  expect([silentDays(8, 2), silentDays(9, 2), silentDays(300, 2)]).toEqual([0, 9, 90]);
});

it('dates the newest record when the strip is empty', () => {
  const state = stateOfSource({ releases: releasedBefore(now, { daysAgo: 276 }) });
  expect(describeStrip(state, toReleaseCells(state, now))).toBe(
    'No records dated in the last 90 days. The newest record is dated Feb 18, 2026.',
  );
});
