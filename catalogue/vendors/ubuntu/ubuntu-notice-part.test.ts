import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { listDocument } from '../../parsers/list-document.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { openDatabase } from './ubuntu-notice-database.ts';
import { ubuntuNoticePart } from './ubuntu-notice-part.ts';

const all = 'https://usn.ubuntu.com/usn-db/database-all.json.bz2';
const active = 'https://usn.ubuntu.com/usn-db/database.json.bz2';
const now = Date.UTC(2031, 5, 4);

const pageAddress = (offset: number) =>
  `https://ubuntu.com/security/notices.json?limit=20&offset=${offset}&order=newest`;

/** Of 40 notices the newest has the highest number. */
function pageAt(offset: number): Document {
  const notices = Array.from({ length: 20 }, (_, place) => ({
    id: `USN-${40 - offset - place}-1`,
    releases: [{ codename: 'jammy', version: '22.04' }],
    release_packages: { jammy: [{ name: 'wick', version: '1.0', is_source: false }] },
  }));
  return documentFrom(pageAddress(offset), JSON.stringify({ notices, offset, total_results: 40 }));
}

const pages = [pageAt(0), pageAt(20)];

function databaseOf(pocket: string, address = active): Document {
  const packages = { wick: { version: '1.0', pocket } };
  const record = { releases: { jammy: { binaries: packages, allbinaries: packages } } };
  return documentFrom(
    address,
    JSON.stringify({ '1-1': record, '40-1': { ...record, id: '40-1' } }),
  );
}

interface UnservedDocument {
  readonly url: string;
  readonly failure: Error;
}

const isUnserved = (served: Document | UnservedDocument): served is UnservedDocument =>
  Object.hasOwn(served, 'failure');

interface Served {
  /** What is served beside the pages; an error is thrown. */
  readonly beside?: readonly (Document | UnservedDocument)[];
  readonly last?: readonly Document[];
}

function publicationOf({ beside = [], last = [] }: Served): Publication {
  return {
    async open(url, options: OpenOptions = {}) {
      const served = [...pages, ...beside].find((one) => one.url === url);
      if (served === undefined) throw new NotPublished(url);
      if (isUnserved(served)) throw served.failure;
      await options.readThrough?.(served);
      return served;
    },
    openList: async (list) => listDocument(list, []),
    known: async (_list, keys) => new Set(keys),
    readLast: async () => last,
    readWholeAt: now - 3_600_000,
    now: () => now,
  };
}

/** Which documents are read, and the pocket of each notice's package. */
async function read(publication: Publication) {
  const contents = await ubuntuNoticePart.contents(publication);
  const readings = await readingsOf(ubuntuNoticePart, contents);
  const entries = readings.filter((reading) => reading.kind === 'entry');
  return {
    whole: contents.whole,
    urls: contents.documents.map(({ url }) => url),
    remarks: readings.flatMap((reading) => (reading.kind === 'remark' ? reading.remark : [])),
    pockets: new Map(
      entries.map(({ key, detail }) => [
        key,
        (detail.releasePackages as { pocket: unknown }[])[0]?.pocket,
      ]),
    ),
  };
}

test('the database completes the notices of all pages', async () => {
  const { whole, urls, pockets } = await read(
    publicationOf({ beside: [databaseOf('updates')], last: [...pages, databaseOf('security')] }),
  );
  expect(urls).toEqual([pageAddress(0), pageAddress(20), active]);
  expect(whole).toBe(true);
  expect(pockets.size).toBe(40);
  expect(pockets.get('USN-40-1')).toBe('updates');
  expect(pockets.get('USN-1-1')).toBe('updates');
  expect(pockets.get('USN-2-1')).toBeNull();
});

test('the database of all notices goes before that of releases still looked after', async () => {
  const both = [databaseOf('security'), databaseOf('esm-infra', all)];
  expect((await read(publicationOf({ beside: both }))).pockets.get('USN-40-1')).toBe('esm-infra');
  const failing = [databaseOf('security'), { url: all, failure: new Error('it answered 503') }];
  const { remarks, pockets } = await read(publicationOf({ beside: failing }));
  expect(pockets.get('USN-40-1')).toBe('security');
  expect(remarks).toEqual([]);
});

test('without any database the notices are read, and it is said why they are poorer', async () => {
  const none = await read(publicationOf({}));
  expect(none).toMatchObject({ urls: pages.map(({ url }) => url), remarks: [] });
  const { urls, remarks, pockets } = await read(
    publicationOf({ beside: [{ url: active, failure: new Error('it answered 503') }] }),
  );
  expect(urls).toEqual(pages.map(({ url }) => url));
  expect(remarks).toEqual([
    'what only the database of notices knows of their packages is missing: it answered 503',
  ]);
  expect(pockets.get('USN-40-1')).toBeNull();
  expect(pockets.size).toBe(40);
});

test('one that is not published any more is read from its last copy', async () => {
  const { remarks, pockets } = await read(publicationOf({ last: [databaseOf('security')] }));
  expect(pockets.get('USN-40-1')).toBe('security');
  expect(remarks).toEqual([]);
});

test.each([
  '',
  '<html>503</html>',
  '[]',
  '{}',
  '{"1-1":{"releases":{}',
  '{"error":"not today"}',
  '{"1-1":{"id":"1-1","releases":[]}}',
])('a database that says %o is none', async (text) => {
  await expect(
    openDatabase(publicationOf({ beside: [documentFrom(active, text)] })),
  ).rejects.toThrow(BrokenDocument);
});

test('it is held to the checksum beside it, where there is one', async () => {
  const asked: (OpenOptions | undefined)[] = [];
  const publication = (sum: Document | UnservedDocument): Publication => {
    const served = publicationOf({ beside: [databaseOf('security'), sum] });
    return {
      ...served,
      open(url, options) {
        if (url === active) asked.push(options);
        return served.open(url, options);
      },
    };
  };
  await openDatabase(
    publication(documentFrom(`${active}.sha256`, `${'AB'.repeat(32)}  database.json.bz2\n`)),
  );
  await openDatabase(publication(documentFrom(`${active}.sha256`, '<html>')));
  await openDatabase(
    publication({ url: `${active}.sha256`, failure: new Error('it answered 503') }),
  );
  expect(asked.map((options) => options?.checksum)).toEqual([
    { algorithm: 'sha256', value: 'ab'.repeat(32) },
    undefined,
    undefined,
  ]);
});

const databaseFrom = (records: Readonly<Record<string, unknown>>) =>
  documentFrom(active, JSON.stringify({ '1-1': { releases: {} }, ...records }));

async function partReadings(database: Document) {
  const contents = await ubuntuNoticePart.contents(publicationOf({ beside: [database] }));
  return readingsOf(ubuntuNoticePart, contents);
}

const docPackages = { 'wick-doc': { version: '1.0', pocket: 'security' } };

test.each([
  ['one id', 'CVE-2026-27171'],
  ['two ids', 'CVE-2026-27171, cve-2026-1234'],
])('reads a record whose CVEs are text with %s', async (_, cves) => {
  const database = databaseFrom({
    '40-1': { cves, releases: { jammy: { binaries: docPackages } } },
  });
  const readings = await partReadings(database);
  expect(readings.filter(({ kind }) => kind === 'rejection')).toEqual([]);
  expect(
    readings.find((reading) => reading.kind === 'entry' && reading.key === 'USN-40-1'),
  ).toMatchObject({
    detail: { releasePackages: [{ name: 'wick' }, { name: 'wick-doc' }] },
  });
});

test.each([
  ['releases are text', { releases: 'jammy' }, 'releases: '],
  ['CVEs are other text', { cves: 'see the bug', releases: {} }, 'cves: '],
  ['the releases are missing', {}, 'releases is missing'],
  [
    'packages are a list',
    { releases: { jammy: { binaries: ['wick'] } } },
    'releases.jammy.binaries',
  ],
])('rejects a notice and keeps its row when in the database %s', async (_, record, reason) => {
  const readings = await partReadings(databaseFrom({ '40-1': record, '9999-1': record }));
  const rejections = readings.filter(({ kind }) => kind === 'rejection');
  expect(rejections).toMatchObject([
    { rejected: 'USN-40-1', reason: expect.stringContaining(reason), url: active },
    { rejected: 'USN-9999-1', keys: [] },
  ]);
  expect(rejections[0]).not.toHaveProperty('keys');
  const keys = readings.flatMap((reading) => (reading.kind === 'entry' ? reading.key : []));
  expect(keys).toHaveLength(39);
  expect(keys).not.toContain('USN-40-1');
});
