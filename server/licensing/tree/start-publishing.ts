/** Publishes the catalogue after each change of a list. One process of a data folder does it. */
import { mkdirSync } from 'node:fs';
import { type Notifications, noNotifications } from '../../platform/database/notifications.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { FolderInUse, type FolderLock, lockFolder } from '../../platform/postgres/folder-lock.ts';
import { CallThread } from '../../platform/threads/call-thread.ts';
import { readChangeStates } from '../clients/change-store.ts';
import { writePublishingState } from './publishing-state-store.ts';
import type { PublishingConfig, PublishingReply, PublishingStart } from './serve-publishing.ts';
import { treeFolder } from './tree-place.ts';

export interface PublishingParts {
  readonly database: OpenDatabase;
  readonly notifications?: Notifications;
  readonly config: PublishingConfig;
  /** The service's key. */
  readonly key: Uint8Array;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly clock?: () => number;
}

export interface Publishing {
  /** Publishes what changed; tests await it. */
  publishNow(): Promise<void>;
  stop(): Promise<void>;
}

/** A run of a sync commits many batches, and readers look for a new head once a minute at most. */
const gapMs = 30_000;
/** The head is signed again before it expires, also when nothing changes. */
const atLeastEveryMs = 3_600_000;

/** Returns null when nothing is to be published. */
export function startPublishing(parts: PublishingParts): Publishing | null {
  const { database, notifications = noNotifications, config, key, log, clock = Date.now } = parts;
  const folder = treeFolder(config);
  if (folder === null) return null;
  const { own } = folder;
  const { dataDir, publishTo, publishKeyId, publishSecretKey } = config;
  mkdirSync(own, { recursive: true });
  const thread = new CallThread<'publish', PublishingReply>({
    name: 'publishing',
    module: new URL('./publishing-thread.ts', import.meta.url),
    workerData: {
      databaseUrl: database.url,
      secret: key,
      config: { dataDir, publishTo, publishKeyId, publishSecretKey },
    } satisfies PublishingStart,
    limits: { heapMb: 512, taskMs: 2 * 3_600_000, maxRunning: 1, maxWaiting: 1, idleMs: 60_000 },
    busy: 'The catalogue is being published.',
    ended: 'Publishing the catalogue took too long or too much memory.',
    log,
  });
  const never = new AbortController().signal;
  let lock: FolderLock | null = null;
  let done = { state: '', time: 0, blocked: '' };
  let stopping = false;

  const isOurTurn = (): boolean => {
    if (lock !== null) return true;
    try {
      lock = lockFolder(own);
      return true;
    } catch (error) {
      if (error instanceof FolderInUse) return false;
      throw error;
    }
  };
  const noteFailure = async (error: unknown): Promise<never> => {
    const why = error instanceof Error ? error.message : String(error);
    const failure = `The last attempt failed, and the next one follows: ${why}`;
    if (!stopping)
      await writePublishingState(database, { time: clock(), isComplete: false, failure });
    throw error;
  };
  const looks = new SharedRead(async () => {
    if (stopping || !isOurTurn()) return;
    const state = JSON.stringify(await readChangeStates(database));
    const now = clock();
    if (state === done.state && Math.abs(now - done.time) < atLeastEveryMs) return;
    const since = performance.now();
    const { lists, isHeadNew, copy, blocked } = await thread
      .call('publish', never)
      .catch(noteFailure);
    if (isHeadNew) log.info({ lists, ms: msSince(since) }, 'published the catalogue');
    if (copy !== null && copy.written + copy.removed > 0)
      log.info({ ...copy, ms: msSince(since) }, 'copied the catalogue to the bucket');
    // Said once: an operator has to do something first.
    if (blocked !== null && blocked !== done.blocked)
      log.warn({ reason: blocked }, 'the catalogue cannot be published');
    const isDone = blocked === null && copy?.isComplete !== false;
    await writePublishingState(database, { time: now, isComplete: isDone, failure: blocked });
    done = isDone
      ? { state, time: now, blocked: '' }
      : { state: '', time: 0, blocked: blocked ?? '' };
  });
  const look = () =>
    looks.now().catch((err: unknown) => {
      if (!stopping) log.warn({ err }, 'the catalogue cannot be published');
    });
  const unsubscribe = notifications.subscribe(['lists'], () => void look(), gapMs);
  return {
    publishNow: () => looks.now(),
    async stop() {
      stopping = true;
      unsubscribe();
      await thread.stop();
      await looks.now().catch(() => undefined);
      lock?.release();
    },
  };
}
