/** Says of each source whether it has read the release of a month. */
import { sourceKeys, sourceLabels } from '@patch/catalogue/sources.ts';
import type { CalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import type { MonthFeed } from '@patch/contract/reports/month-endpoints.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { readLastSuccesses, readNewestRuns } from '../../ingest/runs/run-history-store.ts';
import { readAllSourceSettings } from '../../ingest/sources/source-setting-store.ts';
import type { Queryable } from '../../platform/database/database.ts';

/** Microsoft publishes at 10:00 in Redmond, which is 18:00 UTC in winter and 17:00 in summer. */
const releaseHourMs = 18 * 3_600_000;

/** Returns the time that a source must have been synced after: the end of the month, the release while it goes on, or its start. */
export function toReadUntil({ from, to, tuesday }: CalendarMonth, now: number): number {
  if (now >= to) return to;
  return now >= tuesday + releaseHourMs ? tuesday + releaseHourMs : from;
}

const notSucceeded: readonly string[] = ['failed', 'cancelled', 'interrupted'];

interface FeedFacts {
  readonly enabled: boolean;
  readonly lastSuccessAt: number | null;
  readonly run: Pick<Run, 'state'> | null;
}

/** A failure is said before all else: an older success is stated beside it. */
export function toFeedState(
  { enabled, lastSuccessAt, run }: FeedFacts,
  readUntil: number,
): MonthFeed['state'] {
  if (!enabled) return 'off';
  if (run !== null && notSucceeded.includes(run.state)) return 'failed';
  if (lastSuccessAt === null) return 'never';
  if (lastSuccessAt < readUntil) return 'behind';
  return run?.state === 'succeeded_with_warnings' ? 'warnings' : 'read';
}

export async function readMonthFeeds(
  database: Queryable,
  readUntil: number,
): Promise<readonly MonthFeed[]> {
  const [runs, successes, settings] = await Promise.all([
    readNewestRuns(database),
    readLastSuccesses(database),
    readAllSourceSettings(database),
  ]);
  return sourceKeys.map((source) => {
    const run = runs.get(source) ?? null;
    const lastSuccessAt = successes.get(source) ?? null;
    const enabled = settings.get(source)?.enabled ?? true;
    return {
      source,
      label: sourceLabels[source],
      state: toFeedState({ enabled, lastSuccessAt, run }, readUntil),
      lastSuccessAt,
      run: run === null ? null : { id: run.id, state: run.state },
    };
  });
}
