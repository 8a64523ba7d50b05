/** Reads a file into records in a process of its own, as a sync does up to the database, and prints how it went as JSON: node --expose-gc bench/read-document.ts <updateinfo.xml>. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entry, type Part } from '@patch/catalogue/definition/feed.ts';
import { createDocument } from '@patch/catalogue/parsers/create-document.ts';
import { toUpdateinfoEntry } from '@patch/catalogue/schemas/updateinfo-entry.ts';
import { readRepositories } from '@patch/catalogue/schemas/updateinfo-repositories.ts';
import { opensuseList } from '@patch/catalogue/vendors/opensuse/opensuse-list.ts';
import { readPart } from '@patch/server/ingest/reading/read-part.ts';
import { RunningRun } from '@patch/server/ingest/runs/running-run.ts';
import type { Database } from '@patch/server/platform/database/database.ts';

export interface ReadResult {
  readonly records: number;
  readonly seconds: number;
  /** Most bytes of the process above those before the reading. */
  readonly memory: number;
  /** Bytes of live objects at the end above those before: what grows with the number of records. */
  readonly live: number;
}

const [path = ''] = process.argv.slice(2);
const { gc } = globalThis;
if (gc === undefined) throw new Error('--expose-gc is missing: live objects cannot be counted');

const url = 'https://bench.example/repodata/updateinfo.xml';
const document = createDocument(
  { url, sha256: '0'.repeat(64), size: (await stat(path)).size, lastModified: null },
  () => createReadStream(path, { highWaterMark: 256 * 1024 }),
  { maxOpenBytes: 2 ** 40 },
);
const manifest = { documents: [document], isComplete: true };

/** Reads as the vendor's own feed does, without its other documents. */
const part: Part = {
  key: 'bench',
  label: 'updateinfo',
  contents: () => Promise.resolve(manifest),
  async *read(contents) {
    for await (const reading of readRepositories(contents, {
      label: 'openSUSE Leap 15.6',
      tag: null,
    })) {
      if (reading.kind !== 'advisory') yield reading;
      else {
        const { row, detail } = toUpdateinfoEntry(reading, 'openSUSE Leap 15.6', reading.id);
        yield entry(opensuseList, reading.id, row, detail);
      }
    }
  },
};

// Only progress and rejections are noted there, and the run is never cancelled.
const database = {
  query: () => Promise.resolve({ rows: [{ cancelledBy: null }], count: 1 }),
} as unknown as Database;
const running = new RunningRun(database, { id: 1, source: 'opensuse' } as never);
const folder = await mkdtemp(join(tmpdir(), 'read-document-'));
gc();
const before = process.memoryUsage();
const since = performance.now();
const { entries, spool } = await readPart(part, manifest, running, folder);
const seconds = (performance.now() - since) / 1000;
gc();
const live = process.memoryUsage().heapUsed - before.heapUsed;
await spool.remove();
await running.settle();
await rm(folder, { recursive: true });
// The system counts the most itself, so that no moment between two samples is missed.
const memory = process.resourceUsage().maxRSS * 1024 - before.rss;
process.stdout.write(
  JSON.stringify({ records: entries, seconds, memory, live } satisfies ReadResult),
);
