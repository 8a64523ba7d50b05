/** Reads the state of each source for the sync screen. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { type SourceKey, sourceKeys, sourceLabels } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readUnreadParts } from '../parts/feed-part-store.ts';
import { readPendingEntries } from '../parts/quarantine-store.ts';
import { readLastSuccesses, readListVersions, readNewestRuns } from '../runs/run-history-store.ts';
import { describeSchedule, getNextTimes } from './cron-schedule.ts';
import { findUnreadPart, getFollowedParts } from './followed-parts.ts';
import type { ReleaseHistories } from './release-histories.ts';
import { readAllSourceSettings, standardSettings } from './source-setting-store.ts';

export interface SourceStates {
  readonly database: Queryable;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly clock: () => number;
  readonly histories: ReleaseHistories;
}

export async function readSourceStates(
  { database, feeds, clock, histories }: SourceStates,
  sources: readonly SourceKey[] = sourceKeys,
): Promise<SourceState[]> {
  const [runs, times, versions, settings, leftUnread, quarantine] = await Promise.all([
    readNewestRuns(database),
    readLastSuccesses(database),
    readListVersions(database),
    readAllSourceSettings(database),
    readUnreadParts(database),
    readPendingEntries(database),
  ]);
  const now = clock();
  const revisions = new Map([...versions].map(([list, { revision }]) => [list, revision]));
  const readState = async (source: SourceKey): Promise<SourceState> => {
    const feed = feeds[source];
    const saved = settings.get(source) ?? standardSettings;
    const { enabled, schedule: own } = saved;
    const schedule = feed === undefined ? null : (own ?? feed.schedule);
    const lists = catalogueLists.filter((list) => list.source === source);
    const run = runs.get(source) ?? null;
    return {
      source,
      label: sourceLabels[source],
      available: feed !== undefined,
      enabled,
      homepage: feed?.homepage ?? null,
      lists: lists.map(({ key, label }) => ({ key, label, rows: versions.get(key)?.listed ?? 0 })),
      schedule,
      scheduleWords: schedule === null ? null : describeSchedule(schedule),
      nextRunAt: schedule === null || !enabled ? null : (getNextTimes(schedule, now, 1)[0] ?? null),
      lastSuccessAt: times.get(source) ?? null,
      unread:
        feed === undefined
          ? null
          : findUnreadPart(getFollowedParts(feed, saved), leftUnread.get(source)),
      run,
      quarantine: quarantine.get(source) ?? [],
      releases: await histories.read(source, revisions, {
        now,
        underWay: run?.state === 'running',
      }),
    };
  };
  return Promise.all(sources.map(readState));
}
