/** Errors of starting a sync. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { readSourceSettings } from './source-setting-store.ts';

/** @throws AppError `no_feed` when this version has no feed for the source */
export function requireFeed(
  feeds: Partial<Record<SourceKey, AnyFeed>>,
  source: SourceKey,
): AnyFeed {
  const feed = feeds[source];
  if (feed !== undefined) return feed;
  throw new AppError(
    'no_feed',
    `${sourceLabels[source]} cannot be synced: this version has no feed for it yet.`,
  );
}

/** @throws AppError `source_disabled` */
export async function assertEnabled(database: Queryable, source: SourceKey): Promise<void> {
  const { enabled, changedBy } = await readSourceSettings(database, source);
  if (enabled) return;
  const words = `${sourceLabels[source]} is disabled${changedBy === null ? '' : ` (last set by ${changedBy})`}. Enable it in its settings first.`;
  throw new AppError('source_disabled', words);
}

/** @param run the active run, or null when it has just ended */
export function createAlreadyRunningError(source: SourceKey, run: Run | null): AppError {
  const who = run === null ? '' : ` ${run.startedBy} started it on ${formatTime(run.queuedAt)}.`;
  return new AppError(
    'sync_running',
    `A sync of ${sourceLabels[source]} is running.${who} Wait for its end, or cancel it.`,
  );
}

/** Formats a time as `21 Nov 2026, 12:58 UTC`. */
const formatTime = (time: number) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;
