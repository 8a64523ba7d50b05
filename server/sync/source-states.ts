/** How each source stands, as the sync screen shows it. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { type SourceKey, sourceKeys, sourceLabels } from '@patch/catalogue/definition/sources.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { SourceState } from '@patch/contract/sync-calls.ts';
import type { Queryable } from '../database/database.ts';
import { nextTimes, scheduleWords } from './cron-schedule.ts';
import { undecidedWithdrawals } from './held-withdrawal-store.ts';
import { lastSuccesses, listedRows, newestRuns } from './run-store.ts';
import { allSavedSettings, standardSettings } from './source-setting-store.ts';

export interface SourceStates {
  readonly database: Queryable;
  readonly feeds: Partial<Record<SourceKey, Feed>>;
  readonly clock: () => number;
}

export async function sourceStates(
  { database, feeds, clock }: SourceStates,
  sources: readonly SourceKey[] = sourceKeys,
): Promise<SourceState[]> {
  const [runs, times, rows, settings, held] = await Promise.all([
    newestRuns(database),
    lastSuccesses(database),
    listedRows(database),
    allSavedSettings(database),
    undecidedWithdrawals(database),
  ]);
  return sources.map((source) => {
    const feed = feeds[source];
    const { enabled, schedule: own } = settings.get(source) ?? standardSettings;
    const schedule = feed === undefined ? null : (own ?? feed.schedule);
    const lists = catalogueLists.filter((list) => list.source === source);
    return {
      source,
      label: sourceLabels[source],
      available: feed !== undefined,
      enabled,
      homepage: feed?.homepage ?? null,
      lists: lists.map(({ key, label }) => ({ key, label, rows: rows.get(key) ?? 0 })),
      schedule,
      scheduleWords: schedule === null ? null : scheduleWords(schedule),
      nextRunAt: schedule === null || !enabled ? null : (nextTimes(schedule, clock(), 1)[0] ?? null),
      lastSuccessAt: times.get(source) ?? null,
      run: runs.get(source) ?? null,
      held: [...(held.get(source) ?? [])],
    };
  });
}
