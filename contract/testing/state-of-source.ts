/** Builds a followed source that was never synced, with the given properties. */
import { dayLength, daysDrawn, toDayNumber } from '../sources/release-rhythm.ts';
import type { ReleaseHistory, SourceState } from '../sources/sync-endpoints.ts';

export function stateOfSource(more: Partial<SourceState> = {}): SourceState {
  return {
    source: 'debian',
    label: 'Debian',
    available: true,
    enabled: true,
    homepage: null,
    lists: [],
    schedule: null,
    scheduleWords: null,
    nextRunAt: null,
    lastSuccessAt: null,
    unread: null,
    run: null,
    quarantine: [],
    releases: nothingReleased,
    ...more,
  };
}

export const nothingReleased: ReleaseHistory = {
  isDated: true,
  listLabel: null,
  newest: null,
  usualGapDays: null,
  daysKnown: 0,
  ahead: null,
  firstDay: 0,
  perDay: [],
};

/**
 * Builds the history of a vendor with the rhythm, whose newest record is the given days before `now`; chart days that are not
 * given are empty.
 */
export function releasedBefore(
  now: number,
  {
    daysAgo,
    every = 1,
    perDay = {},
  }: {
    readonly daysAgo: number;
    readonly every?: number | null;
    readonly perDay?: Readonly<Record<number, number>>;
  },
): ReleaseHistory {
  const counts = Array.from(
    { length: daysDrawn },
    (_, index) => perDay[daysDrawn - 1 - index] ?? 0,
  );
  return {
    ...nothingReleased,
    newest: {
      releaseDate: now - daysAgo * dayLength,
      list: 'debian_patch',
      rowId: 7,
      identity: 'DSA-5800-1',
    },
    usualGapDays: every,
    daysKnown: every === null ? 1 : 50,
    firstDay: (toDayNumber(now) - daysDrawn + 1) * dayLength,
    perDay: counts,
  };
}
