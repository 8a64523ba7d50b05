/** A service of its own that has synced every source of the feed mirror. */
import { setTimeout as pause } from 'node:timers/promises';
import { feeds } from '@patch/catalogue/feeds.ts';
import { mirrorHas } from '@patch/catalogue/testing/mirror-has.ts';
import { AuditEntry } from '@patch/contract/sources/run-endpoints.ts';
import { z } from 'zod';
import { type RunningService, startService } from '../../bench/bench-service.ts';

const AuditReply = z.object({ objList: z.array(AuditEntry) });

/** The second sync of a kept data folder reads only what changed. */
export async function mirroredService(mirror: string, dataDir: string): Promise<RunningService> {
  const service = await startService({ DATA_DIR: dataDir, FEED_MIRROR: mirror });
  for (const [source, feed] of Object.entries(feeds)) {
    if (!(await mirrorHas(mirror, feed))) continue;
    await synced(service, source);
    process.stderr.write(`${source} synced\n`);
  }
  return service;
}

async function synced({ client }: RunningService, source: string): Promise<void> {
  const started = await client.ask('POST', `/api/linux/patchsync/manual?service=${source}`);
  if (started.status !== 202)
    throw new Error(`The sync of ${source} was not started: ${started.text}`);
  for (;;) {
    await pause(250);
    const { text } = await client.ask('GET', `/api/windows/fetchAudit/${source}?size=1`);
    const [newest] = AuditReply.parse(JSON.parse(text)).objList;
    if (newest !== undefined && newest.run.endedAt !== null) return;
  }
}
