/** How long the first sync of each source takes from the mirror of real vendor records, the second one, and the memory above idle. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { mirrorHas } from '@patch/catalogue/testing/mirror-has.ts';
import { AuditEntry } from '@patch/contract/run-endpoints.ts';
import { runMessageText } from '@patch/contract/run-message-text.ts';
import { type Run } from '@patch/contract/sync-endpoints.ts';
import { z } from 'zod';
import { type RunningService, startService } from './bench-service.ts';

export interface SourceSync {
  readonly source: string;
  readonly records: number;
  readonly rejected: number;
  /** Of the run, without its time in the queue. */
  readonly firstSeconds: number;
  readonly secondSeconds: number;
  readonly secondMessage: string;
  /** Bytes; null where the system does not tell. */
  readonly memoryAboveIdle: number | null;
}

const mirror = fileURLToPath(new URL('../../shared/feed-mirror', import.meta.url));
const AuditReply = z.object({ objList: z.array(AuditEntry) });

/** Null where the mirror is absent; without the sources that it has nothing of. */
export async function benchFirstSync(cache: string): Promise<readonly SourceSync[] | null> {
  if (!existsSync(mirror)) return null;
  const results: SourceSync[] = [];
  for (const [source, feed] of Object.entries(vendorFeeds)) {
    if (!(await mirrorHas(mirror, feed))) continue;
    // Each in a service of its own, so that one source's memory is not laid at another's door.
    const dataDir = join(cache, 'first-sync');
    await rm(dataDir, { recursive: true, force: true });
    const service = await startService({ DATA_DIR: dataDir, FEED_MIRROR: mirror });
    try {
      const idle = await service.memory();
      const first = await synced(service, source);
      const second = await synced(service, source);
      results.push({
        source,
        records: first.run.added,
        rejected: first.run.rejected,
        firstSeconds: secondsOf(first.run),
        secondSeconds: secondsOf(second.run),
        secondMessage: second.run.message === null ? '' : runMessageText(second.run.message),
        memoryAboveIdle:
          idle === null || first.memory === null ? null : Math.max(0, first.memory - idle),
      });
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  return results;
}

/** The run once it has ended, and the most memory that was seen meanwhile. */
async function synced(
  { client, memory }: RunningService,
  source: string,
): Promise<{ readonly run: Run; readonly memory: number | null }> {
  const started = await client.ask('POST', `/api/linux/patchsync/manual?service=${source}`);
  if (started.status !== 202)
    throw new Error(`The sync of ${source} was not started: ${started.text}`);
  let most: number | null = null;
  for (;;) {
    await pause(100);
    const seen = await memory();
    if (seen !== null) most = Math.max(most ?? 0, seen);
    const { text } = await client.ask('GET', `/api/windows/fetchAudit/${source}?size=1`);
    const [newest] = AuditReply.parse(JSON.parse(text)).objList;
    if (newest !== undefined && newest.run.endedAt !== null)
      return { run: newest.run, memory: most };
  }
}

const secondsOf = ({ startedAt, endedAt }: Run) => ((endedAt ?? 0) - (startedAt ?? 0)) / 1000;
