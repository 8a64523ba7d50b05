/** Runs a sync from its beginning to its end. */

import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { type AnyFeed, isRiskFeed } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { runMessageText } from '@patch/contract/run-message-text.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../platform/database/database-unavailable.ts';
import type { RiskRows } from '../../platform/database/record-risk-store.ts';
import { refreshStatistics } from '../../platform/database/refresh-statistics.ts';
import { refreshStaleCves } from '../../platform/database/stale-cve-store.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { readSettings } from '../../platform/settings/settings-store.ts';
import type { ThreadLog } from '../../platform/threads/thread-log.ts';
import type { DocumentCache } from './document-cache.ts';
import { Fetcher } from './fetcher.ts';
import { followedParts } from './followed-parts.ts';
import { httpUpstream } from './http-upstream.ts';
import { mirrorInForce } from './mirror-in-force.ts';
import { releaseOtherParts } from './quarantine-store.ts';
import { type RunWrites, rowsWritten } from './rows-written.ts';
import { namingMirror } from './run-end.ts';
import { runFeed } from './run-feed.ts';
import { removeRun, runsToPrune } from './run-history-store.ts';
import { removeRecords } from './run-record-store.ts';
import { endRun, maxSilenceMs, type RunEnd } from './run-store.ts';
import { RunningRun } from './running-run.ts';
import { savedSettings } from './source-setting-store.ts';
import { trustedKeysIn } from './trusted-keys.ts';

const withoutFeed: RunEnd = {
  state: 'failed',
  message: { code: 'no_feed', params: {} },
  warnings: [],
  added: 0,
  changed: 0,
  withdrawn: 0,
  unchanged: 0,
  rejected: 0,
};

export interface RunSource {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  /** For sources without a mirror of their own. */
  readonly fetcher: Fetcher;
  /** The mirror that the environment sets, which `fetcher` asks; null: the settings may name one. */
  readonly environmentMirror: string | null;
  readonly cache: DocumentCache;
  readonly spoolFolder: string;
  /** Contains a folder of trusted keys for each source that has some. */
  readonly keysFolder: string;
  /** Runs of this process, by id. */
  readonly running: Map<number, RunningRun>;
  /** The runs above have changed. */
  readonly onRunning: () => void;
  readonly log: ThreadLog;
}

/** Runs with the settings as they are now: a source that was disabled after it was queued runs all the same. */
export async function runSource(context: RunSource, run: Run): Promise<void> {
  const { database, feeds, running, log } = context;
  const { source } = run;
  const feed = feeds[source];
  if (feed === undefined) return endRun(database, run.id, withoutFeed, Date.now());
  const settings = await savedSettings(database, source);
  const since = performance.now();
  const about = { source, run: run.id };
  const own = new RunningRun(database, run, {
    onDecision: (words, facts) => log('debug', words, { ...about, ...facts }),
  });
  const general = await readSettings(database);
  const mirror = mirrorInForce({
    ofSource: settings.mirror,
    ofEnvironment: context.environmentMirror,
    ofConfiguration: general.feedMirror,
  });
  const ownMirror =
    mirror === null || mirror.setting === 'environment' ? null : httpUpstream(mirror.secretAddress);
  running.set(run.id, own);
  context.onRunning();
  log('info', 'a sync began', { ...about, startedBy: run.startedBy });
  try {
    const parts = followedParts(feed, settings);
    await releaseOtherParts(
      database,
      source,
      parts.map(({ key }) => key),
    );
    const { end: ended, changed } = await runFeed({
      database,
      feed: { ...feed, parts } as AnyFeed,
      fetcher: ownMirror === null ? context.fetcher : new Fetcher(ownMirror, context.cache),
      running: own,
      spoolFolder: context.spoolFolder,
      trustedKeys: await trustedKeysIn(join(context.keysFolder, source)),
      shrinkageShare: settings.shrinkageShare,
      onError: (err) => log('error', 'a part could not be synced', { ...about, err }),
    });
    const refreshed = await retryUntilAvailable(own.signal, () =>
      refreshStaleCves(database, own.signal),
    );
    const end = namingMirror(ended, mirror && { address: mirror.address, setting: mirror.setting });
    await retryUntilAvailable(own.signal, () => endRun(database, run.id, end, Date.now()));
    const { message, warnings, ...result } = end;
    log(end.state === 'failed' ? 'warn' : 'info', 'a sync ended', {
      ...about,
      ...result,
      warnings: warnings.length,
      message: runMessageText(message),
      ms: msSince(since),
    });
    await refreshStatistics(database, rowsWritten(writesOf(feed, end, changed, refreshed)));
    await cleanUp(context, source, general.runsKept);
  } catch (err) {
    // A run that could not be ended reads as running until its silence is noticed.
    log('error', 'a sync could not be ended or cleaned up', { ...about, err });
  } finally {
    ownMirror?.close();
    running.delete(run.id);
    context.onRunning();
  }
}

function writesOf(
  feed: AnyFeed,
  { added, changed, withdrawn, unchanged }: RunEnd,
  lists: ReadonlySet<ListDefinition>,
  refreshed: RiskRows,
): RunWrites {
  const written = added + changed + withdrawn;
  const none = { lists: [], facts: 0, scores: 0, refreshed };
  if (!isRiskFeed(feed)) return { ...none, lists: [...lists].map((list) => [list, written]) };
  // A percentile that moves is written and is no change.
  return feed.risk === 'epss'
    ? { ...none, scores: written + unchanged }
    : { ...none, facts: written };
}

/** Retries while the database is unavailable, so that a run's outcome is not lost. Does not wait during shutdown. */
async function retryUntilAvailable<T>(stopped: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (const patience = Date.now() + maxSilenceMs; ; await after(1000)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || stopped.aborted || Date.now() >= patience) throw error;
    }
  }
}

async function cleanUp(
  { database, cache }: RunSource,
  source: SourceKey,
  runsKept: number,
): Promise<void> {
  for (const id of await runsToPrune(database, source, runsKept)) {
    await removeRecords(database, id);
    await removeRun(database, id);
  }
  await cache.sweep();
}
