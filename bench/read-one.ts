/** Reads one file in a process of its own and prints how it went, as JSON: node bench/read-one.ts updateinfo|packages records|reader <file>. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Document, entry, type Part } from '@patch/catalogue/definition/feed.ts';
import { documentOf } from '@patch/catalogue/formats/document-of.ts';
import { binaryPackages } from '@patch/catalogue/formats/dpkg-packages.ts';
import { readUpdateinfo } from '@patch/catalogue/formats/updateinfo.ts';
import { updateinfoEntry } from '@patch/catalogue/shapes/updateinfo-entry.ts';
import { readRepositories } from '@patch/catalogue/shapes/updateinfo-repositories.ts';
import { opensuseList } from '@patch/catalogue/vendors/opensuse/opensuse-list.ts';
import { ubuntuPackageEntry } from '@patch/catalogue/vendors/ubuntu/ubuntu-package-entry.ts';
import type { Database } from '@patch/server/database/database.ts';
import { readPart } from '@patch/server/sync/read-part.ts';
import { RunningRun } from '@patch/server/sync/running-run.ts';

export interface ReadOne {
  readonly bytes: number;
  readonly records: number;
  readonly seconds: number;
  /** Resident bytes of the process: before the reading, and the most during it. */
  readonly idle: number;
  readonly most: number;
}

type Format = 'updateinfo' | 'packages';

const place = { codename: 'noble', archive: 'http://archive.ubuntu.com/ubuntu', suite: 'noble-updates', component: 'main' };

/** As the vendors' own feeds read them, without what their other documents add. */
function partOf(format: Format, document: Document): Part {
  const contents = () => Promise.resolve({ documents: [document], whole: true });
  if (format === 'updateinfo') {
    return {
      key: 'bench',
      label: 'updateinfo',
      contents,
      async *read(of) {
        for await (const reading of readRepositories(of)) {
          if (!('id' in reading)) yield reading;
          else {
            const { row, detail } = updateinfoEntry(reading, 'openSUSE Leap 15.6', reading.id);
            yield entry(opensuseList, reading.id, row, detail);
          }
        }
      },
    };
  }
  return {
    key: 'bench',
    label: 'packages',
    contents,
    async *read() {
      for await (const batch of binaryPackages({ document, component: place.component })) {
        for (const of of batch) yield 'rejected' in of ? of : ubuntuPackageEntry(place, of, new Map(), new Map());
      }
    },
  };
}

async function readerAlone(format: Format, document: Document): Promise<number> {
  let records = 0;
  if (format === 'updateinfo') for await (const _ of readUpdateinfo(document)) records++;
  else for await (const batch of binaryPackages({ document, component: place.component })) records += batch.length;
  return records;
}

/** Documents, decompression, parsing, entries, checks, hashes, and the spool on disk: all but the database. */
async function intoRecords(part: Part, document: Document): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'read-one-'));
  // Only progress is noted there, and it goes on.
  const database = { query: () => Promise.resolve({ rows: [{ cancelledBy: null }], count: 1 }) } as unknown as Database;
  const running = new RunningRun(database, { id: 1, source: 'opensuse' } as never);
  try {
    const { entries, spool } = await readPart(part, { documents: [document], whole: true }, running, folder);
    await spool.remove();
    return entries;
  } finally {
    await running.settle();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [format = '', how = '', file = ''] = process.argv.slice(2);
  if ((format !== 'updateinfo' && format !== 'packages') || (how !== 'records' && how !== 'reader'))
    throw new Error('updateinfo|packages records|reader <file>');
  const { size } = await stat(file);
  const facts = { url: 'https://bench.example/repodata/updateinfo.xml', sha256: '0'.repeat(64), size, lastModified: null };
  const document = documentOf(facts, () => createReadStream(file, { highWaterMark: 256 * 1024 }), { maxOpenBytes: 2 ** 40 });
  const idle = process.memoryUsage.rss();
  let most = idle;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const began = performance.now();
  const records = how === 'records' ? await intoRecords(partOf(format, document), document) : await readerAlone(format, document);
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watching);
  process.stdout.write(JSON.stringify({ bytes: size, records, seconds, idle, most } satisfies ReadOne));
}
