/** Feeds that fail to load in the first sync thread of a data folder. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { SyncThreadStart } from '../sync/sync-thread.ts';
import { feeds as smallFeeds } from './small-feeds.ts';

// The thread of the test also loads this module, for the schedules, and must not fail.
const start = workerData as Partial<SyncThreadStart> | null;
if (start?.feedsModule === import.meta.url) {
  const mark = join(start.dataDir ?? '', 'read-once');
  if (!existsSync(mark)) {
    writeFileSync(mark, '');
    throw new Error('The feeds cannot be read');
  }
}

export const feeds = smallFeeds;
