/** What a sync does with a part up to the database: documents, decompression, parsing, entries, checks, content hashes, the spool on disk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part, PartManifest } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { type PartReading, readPart } from '@patch/server/ingest/sync/read-part.ts';
import { RunningRun } from '@patch/server/ingest/sync/running-run.ts';
import type { Database } from '@patch/server/platform/database/database.ts';

/** `held` is called while all that was read is still there. */
export async function intoRecords(
  source: SourceKey,
  part: Part,
  contents: PartManifest,
  held: (reading: PartReading) => void = () => undefined,
): Promise<{ readonly records: number; readonly rejected: number; readonly seconds: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'into-records-'));
  // Only progress and rejections are noted there, and it goes on.
  const database = {
    query: () => Promise.resolve({ rows: [{ cancelledBy: null }], count: 1 }),
  } as unknown as Database;
  const running = new RunningRun(database, { id: 1, source } as never);
  try {
    const began = performance.now();
    const reading = await readPart(part, contents, running, folder);
    const seconds = (performance.now() - began) / 1000;
    held(reading);
    await reading.spool.remove();
    return { records: reading.entries, rejected: running.counts.rejected, seconds };
  } finally {
    await running.settle();
    await rm(folder, { recursive: true, force: true });
  }
}
