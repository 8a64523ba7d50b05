import type { QuarantineEntry } from '@patch/contract/quarantine-entry.ts';
import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { expect, it } from 'vitest';
import { releaseCells, stripWords } from './release-cells.ts';

const now = Date.UTC(2026, 10, 21, 12);
const day = 24 * 3_600_000;
const entry = (
  daysAgo: number,
  reason: QuarantineEntry['reason'],
  records: number,
): QuarantineEntry => ({
  part: '12',
  partLabel: 'Debian 12',
  list: 'debian_patch',
  reason,
  records,
  known: 900,
  losses: [],
  examples: [],
  runId: 1,
  quarantinedAt: now - daysAgo * day,
});

it('tells each day with its date and its count, the last one today', () => {
  const state = stateOfSource({
    releases: releasedBefore(now, { daysAgo: 0, perDay: { 0: 1, 3: 1200, 89: 12 } }),
  });
  const cells = releaseCells(state, now);
  expect(cells).toHaveLength(90);
  expect([0, 1, 86, 89].map((index) => cells[index]?.words)).toEqual([
    'Aug 24, 2026: 12 records',
    'Aug 25, 2026: no records',
    'Nov 18, 2026: 1,200 records',
    'Nov 21, 2026: 1 record',
  ]);
  expect([0, 1, 86, 89].map((index) => cells[index]?.level)).toEqual([2, 0, 4, 1]);
  expect(stripWords(state, cells)).toBe(
    'Last 90 days: 1,213 records on 3 days, the last on Nov 21, 2026.',
  );
});

it('calls them updates where several records can be about one', () => {
  const state = stateOfSource({
    source: 'wsus',
    releases: releasedBefore(now, { daysAgo: 0, perDay: { 0: 41 } }),
  });
  expect(releaseCells(state, now).at(-1)?.words).toBe('Nov 21, 2026: 41 updates');
});

it('marks a quarantine on its day, and on the first day when it began before', () => {
  const state = stateOfSource({
    releases: releasedBefore(now, { daysAgo: 0 }),
    quarantine: [entry(4, 'records_missing', 860), entry(200, 'content_lost', 1)],
  });
  const cells = releaseCells(state, now);
  expect(
    cells.flatMap(({ isQuarantined, words }, index) => (isQuarantined ? [[index, words]] : [])),
  ).toEqual([
    [
      0,
      'Aug 24, 2026: no records; Debian 12: content of 1 record in quarantine since May 05, 2026',
    ],
    [85, 'Nov 17, 2026: no records; Debian 12: withdrawal of 860 records in quarantine'],
  ]);
  expect(stripWords(state, cells)).toContain(
    'Waiting for a decision: Aug 24, 2026: no records; Debian 12: content of 1 record in quarantine since',
  );
});

it('marks the days of a silence, not those of a usual pause', () => {
  const silentDays = (daysAgo: number, every: number) => {
    const state = stateOfSource({
      lastSuccessAt: now,
      releases: releasedBefore(now, { daysAgo, every }),
    });
    return releaseCells(state, now).filter(({ isSilent }) => isSilent).length;
  };
  expect([silentDays(8, 2), silentDays(9, 2), silentDays(300, 2)]).toEqual([0, 9, 90]);
});

it('names the newest record of a strip without any', () => {
  const state = stateOfSource({ releases: releasedBefore(now, { daysAgo: 276 }) });
  expect(stripWords(state, releaseCells(state, now))).toBe(
    'No records dated in the last 90 days. The newest record is dated Feb 18, 2026.',
  );
});
