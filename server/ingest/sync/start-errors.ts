/** Why a sync of a source cannot be started now. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { savedSettings } from './source-setting-store.ts';

/** Throws where this version has no feed for the source. */
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

export async function assertEnabled(database: Queryable, source: SourceKey): Promise<void> {
  const { enabled, changedBy } = await savedSettings(database, source);
  if (enabled) return;
  const words = `${sourceLabels[source]} is disabled${changedBy === null ? '' : ` (last set by ${changedBy})`}. Enable it in its settings first.`;
  throw new AppError('source_disabled', words);
}

/** Null: the run was seen a moment ago, and has ended meanwhile. */
export function alreadyRunning(source: SourceKey, run: Run | null): AppError {
  const who = run === null ? '' : ` ${run.startedBy} started it on ${inWords(run.queuedAt)}.`;
  return new AppError(
    'sync_running',
    `A sync of ${sourceLabels[source]} is running.${who} Wait for its end, or cancel it.`,
  );
}

/** To the minute: 21 Nov 2026, 12:58 UTC. */
const inWords = (time: number) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;
