/** Runs the sync of a source. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyFeed, isRiskFeed } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { runMessageText } from '@patch/contract/sources/run-message-text.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import type { RiskRows } from '../../platform/database/cves/record-risk-store.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../platform/database/database-unavailable.ts';
import { refreshStatistics } from '../../platform/database/refresh-statistics.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { readSettings } from '../../platform/settings/settings-store.ts';
import type { ThreadLog } from '../../platform/threads/thread-log.ts';
import { getEffectiveMirror } from '../fetching/create-upstream.ts';
import type { DocumentCache } from '../fetching/document-cache.ts';
import { Fetcher } from '../fetching/fetcher.ts';
import { httpUpstream } from '../fetching/http-upstream.ts';
import { readTrustedKeys } from '../fetching/trusted-keys.ts';
import { releaseOtherParts } from '../parts/quarantine-store.ts';
import { addMirror } from '../runs/run-end.ts';
import { findRunsToPrune, removeRun } from '../runs/run-history-store.ts';
import { removeRecords } from '../runs/run-record-store.ts';
import { endRun, maxSilenceMs, type RunEnd } from '../runs/run-store.ts';
import { RunningRun } from '../runs/running-run.ts';
import { getFollowedParts } from '../sources/followed-parts.ts';
import { readSourceSettings } from '../sources/source-setting-store.ts';
import { estimateRowsWritten, type RunWrites } from '../writing/rows-written.ts';
import { runFeed } from './run-feed.ts';

const noFeedEnd: RunEnd = {
  state: 'failed',
  message: { code: 'no_feed', params: {} },
  warnings: [],
  added: 0,
  changed: 0,
  withdrawn: 0,
  unchanged: 0,
  rejected: 0,
};

export interface RunSourceContext {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  /** Fetcher of sources without a mirror in the settings. */
  readonly fetcher: Fetcher;
  /** The mirror of the environment, which `fetcher` uses; null when it sets none. */
  readonly environmentMirror: string | null;
  readonly cache: DocumentCache;
  readonly spoolFolder: string;
  /** Contains folders of trusted keys by source. */
  readonly keysFolder: string;
  /** Runs of this process, by id. */
  readonly running: Map<number, RunningRun>;
  /** Called when `running` has changed. */
  readonly onRunning: () => void;
  readonly log: ThreadLog;
}

/** Runs with the current settings. A source that was disabled after its run was queued is synced nevertheless. */
export async function runSource(context: RunSourceContext, run: Run): Promise<void> {
  const { database, feeds, running, log } = context;
  const { source } = run;
  const feed = feeds[source];
  if (feed === undefined) return endRun(database, run.id, noFeedEnd, Date.now());
  const settings = await readSourceSettings(database, source);
  const since = performance.now();
  const about = { source, run: run.id };
  const runningRun = new RunningRun(database, run, {
    onDecision: (words, facts) => log('debug', words, { ...about, ...facts }),
  });
  const general = await readSettings(database);
  const mirror = getEffectiveMirror({
    source: settings.mirror,
    environment: context.environmentMirror,
    configuration: general.feedMirror,
  });
  const ownMirror =
    mirror === null || mirror.setting === 'environment' ? null : httpUpstream(mirror.secretAddress);
  running.set(run.id, runningRun);
  context.onRunning();
  log('info', 'a sync began', { ...about, startedBy: run.startedBy });
  try {
    const parts = getFollowedParts(feed, settings);
    await releaseOtherParts(
      database,
      source,
      parts.map(({ key }) => key),
    );
    const { end: ended, changed } = await runFeed({
      database,
      feed: { ...feed, parts } as AnyFeed,
      fetcher: ownMirror === null ? context.fetcher : new Fetcher(ownMirror, context.cache),
      running: runningRun,
      spoolFolder: context.spoolFolder,
      trustedKeys: await readTrustedKeys(join(context.keysFolder, source)),
      shrinkageShare: settings.shrinkageShare,
      onError: (err) => log('error', 'a part could not be synced', { ...about, err }),
    });
    const refreshed = await retryUntilAvailable(runningRun.signal, () =>
      refreshStaleCves(database, runningRun.signal),
    );
    const end = addMirror(ended, mirror && { address: mirror.address, setting: mirror.setting });
    await retryUntilAvailable(runningRun.signal, () => endRun(database, run.id, end, Date.now()));
    const { message, warnings, ...result } = end;
    log(end.state === 'failed' ? 'warn' : 'info', 'a sync ended', {
      ...about,
      ...result,
      warnings: warnings.length,
      message: runMessageText(message),
      ms: msSince(since),
    });
    await refreshStatistics(
      database,
      estimateRowsWritten(toRunWrites(feed, end, changed, refreshed)),
    );
    await cleanUp(context, source, general.runsKept);
  } catch (err) {
    // A run that could not be ended is shown as running until its heartbeat is too old.
    log('error', 'a sync could not be ended or cleaned up', { ...about, err });
  } finally {
    ownMirror?.close();
    running.delete(run.id);
    context.onRunning();
  }
}

function toRunWrites(
  feed: AnyFeed,
  { added, changed, withdrawn, unchanged }: RunEnd,
  lists: ReadonlySet<ListDefinition>,
  refreshed: RiskRows,
): RunWrites {
  const written = added + changed + withdrawn;
  const none = { lists: [], facts: 0, scores: 0, refreshed };
  if (!isRiskFeed(feed)) return { ...none, lists: [...lists].map((list) => [list, written]) };
  // A changed percentile is written, but does not count as a change.
  return feed.risk === 'epss'
    ? { ...none, scores: written + unchanged }
    : { ...none, facts: written };
}

/** Retries while the database is unavailable, so that the result of a run is not lost. Does not retry during shutdown. */
async function retryUntilAvailable<T>(stopped: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + maxSilenceMs; ; await sleep(1000)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || stopped.aborted || Date.now() >= deadline) throw error;
    }
  }
}

async function cleanUp(
  { database, cache }: RunSourceContext,
  source: SourceKey,
  runsToKeep: number,
): Promise<void> {
  for (const id of await findRunsToPrune(database, source, runsToKeep)) {
    await removeRecords(database, id);
    await removeRun(database, id);
  }
  await cache.sweep();
}
