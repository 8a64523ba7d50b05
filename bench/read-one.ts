/** Reads one file in a process of its own and prints how it went, as JSON: node --expose-gc bench/read-one.ts updateinfo|packages records|reader <file>. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { type Document, entry, type Part } from '@patch/catalogue/definition/feed.ts';
import { documentOf } from '@patch/catalogue/parsers/document-of.ts';
import { binaryPackages } from '@patch/catalogue/parsers/dpkg-packages.ts';
import { readUpdateinfo } from '@patch/catalogue/parsers/updateinfo.ts';
import { updateinfoEntry } from '@patch/catalogue/schemas/updateinfo-entry.ts';
import { readRepositories } from '@patch/catalogue/schemas/updateinfo-repositories.ts';
import { opensuseList } from '@patch/catalogue/vendors/opensuse/opensuse-list.ts';
import { ubuntuPackageEntry } from '@patch/catalogue/vendors/ubuntu/ubuntu-package-entry.ts';
import { intoRecords } from './into-records.ts';

export interface ReadOne {
  readonly records: number;
  readonly seconds: number;
  /** The most bytes the process had in memory, above those before the reading. */
  readonly memory: number;
  /** Bytes of live objects in the end, above those before the reading: what grows with the number of records. */
  readonly held: number;
}

type Format = 'updateinfo' | 'packages';

const place = {
  codename: 'noble',
  archive: 'http://archive.ubuntu.com/ubuntu',
  suite: 'noble-updates',
  component: 'main',
  frozen: null,
};

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
          if (reading.kind !== 'advisory') yield reading;
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
        for (const of of batch)
          yield of.kind === 'rejection' ? of : ubuntuPackageEntry(place, of, new Map(), new Map());
      }
    },
  };
}

async function readerAlone(
  format: Format,
  document: Document,
): Promise<{ readonly records: number; readonly seconds: number }> {
  const began = performance.now();
  let records = 0;
  if (format === 'updateinfo') for await (const _ of readUpdateinfo(document)) records++;
  else
    for await (const batch of binaryPackages({ document, component: place.component }))
      records += batch.length;
  return { records, seconds: (performance.now() - began) / 1000 };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [format = '', how = '', file = ''] = process.argv.slice(2);
  if ((format !== 'updateinfo' && format !== 'packages') || (how !== 'records' && how !== 'reader'))
    throw new Error('updateinfo|packages records|reader <file>');
  const { gc } = globalThis;
  if (gc === undefined)
    throw new Error(
      'node --expose-gc is needed, to tell what is held from what is not yet collected',
    );
  const { size } = await stat(file);
  const facts = {
    url: 'https://bench.example/repodata/updateinfo.xml',
    sha256: '0'.repeat(64),
    size,
    lastModified: null,
  };
  const document = documentOf(facts, () => createReadStream(file, { highWaterMark: 256 * 1024 }), {
    maxOpenBytes: 2 ** 40,
  });
  gc();
  const before = process.memoryUsage();
  let held = 0;
  const keep = () => {
    gc();
    held = process.memoryUsage().heapUsed - before.heapUsed;
  };
  const result =
    how === 'records'
      ? await intoRecords(
          'opensuse',
          partOf(format, document),
          { documents: [document], whole: true },
          keep,
        )
      : await readerAlone(format, document);
  if (how === 'reader') keep();
  // The system keeps the most itself, so that no moment between two samples is missed.
  const memory = process.resourceUsage().maxRSS * 1024 - before.rss;
  process.stdout.write(
    JSON.stringify({
      records: result.records,
      seconds: result.seconds,
      memory,
      held,
    } satisfies ReadOne),
  );
}
