import { expect, test } from 'vitest';
import type { Document, OpenOptions, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { formatMessages, indexEntries } from '../../testing/feed-reader.ts';
import { memoryPublication, type Served } from '../../testing/memory-publication.ts';
import { readAllItems } from '../../testing/read-all-items.ts';
import { openDatabase } from './ubuntu-notice-database.ts';
import { ubuntuNoticePart } from './ubuntu-notice-part.ts';

const all = 'https://usn.ubuntu.com/usn-db/database-all.json.bz2';
const active = 'https://usn.ubuntu.com/usn-db/database.json.bz2';
const now = Date.UTC(2031, 5, 4);

/** A page of 40 notices, of which the newest has the highest number. */
const pageAt = (offset: number) =>
  JSON.stringify({
    notices: Array.from({ length: 20 }, (_, index) => ({
      id: `USN-${40 - offset - index}-1`,
      releases: [{ codename: 'jammy', version: '22.04' }],
      release_packages: { jammy: [{ name: 'wick', version: '1.0', is_source: false }] },
    })),
    offset,
    total_results: 40,
  });
const pageAddress = (offset: number) =>
  `https://ubuntu.com/security/notices.json?limit=20&offset=${offset}&order=newest`;
const pages = Object.fromEntries([0, 20].map((offset) => [pageAddress(offset), pageAt(offset)]));

function createDatabase(pocket: string): string {
  const packages = { wick: { version: '1.0', pocket } };
  const record = { releases: { jammy: { binaries: packages, allbinaries: packages } } };
  return JSON.stringify({ '1-1': record, '40-1': { ...record, id: '40-1' } });
}

const createPublication = (served: Served, last: readonly Document[] = []) =>
  memoryPublication({ ...pages, ...served }, { now, last });

/** Without what is said of priorities, which no test here publishes. */
const listSaid = (readings: Parameters<typeof formatMessages>[0]) =>
  formatMessages(readings).filter((line) => !line.startsWith("Ubuntu's CVE priorities"));

/** Returns the addresses of the documents read, and the pocket of each notice's package. */
async function read(served: Served, last?: readonly Document[]) {
  const contents = await ubuntuNoticePart.contents(createPublication(served, last));
  const readings = await readAllItems(ubuntuNoticePart, contents);
  return {
    isComplete: contents.isComplete,
    urls: contents.documents.map(({ url }) => url),
    said: listSaid(readings),
    pockets: new Map(
      [...indexEntries(readings)].map(([key, { detail }]) => [
        key,
        (detail.releasePackages as { pocket: unknown }[])[0]?.pocket,
      ]),
    ),
  };
}

test('completes the notices of all pages by the database', async () => {
  const last = [
    ...Object.entries(pages).map(([url, text]) => documentFrom(url, text)),
    documentFrom(active, createDatabase('security')),
  ];
  const { isComplete, urls, pockets } = await read({ [active]: createDatabase('updates') }, last);
  expect(urls).toEqual([...Object.keys(pages), active]);
  expect(isComplete).toBe(true);
  expect(pockets.size).toBe(40);
  expect(['USN-40-1', 'USN-1-1', 'USN-2-1'].map((key) => pockets.get(key))).toEqual([
    'updates',
    'updates',
    null,
  ]);
});

const security = { [active]: createDatabase('security') };
const missing = /^packages that only the notice database lists are missing: .*answered 503/;

test.each<[string, Served, string | null, readonly RegExp[]]>([
  [
    'the database of all notices before that of supported releases',
    { ...security, [all]: createDatabase('esm-infra') },
    'esm-infra',
    [],
  ],
  [
    'the database of supported releases while the other fails',
    { ...security, [all]: 503 },
    'security',
    [],
  ],
  ['no database when none is published, with a remark', {}, null, [/missing: it is not published/]],
  ['no database while none is available, with a remark', { [active]: 503 }, null, [missing]],
])('reads %s', async (_which, served, pocket, said) => {
  const found = await read(served);
  expect(found.pockets.get('USN-40-1')).toBe(pocket);
  expect(found.pockets.size).toBe(40);
  expect(found.said).toEqual(said.map((line) => expect.stringMatching(line)));
});

test('says that priorities are missing that were never published', async () => {
  const contents = await ubuntuNoticePart.contents(createPublication(security));
  const [archive, newest, ...more] = formatMessages(await readAllItems(ubuntuNoticePart, contents));
  for (const line of [archive, newest])
    expect(line).toMatch(/^Ubuntu's CVE priorities are missing: .*not published/);
  expect([archive === newest, more]).toEqual([false, []]);
});

test.each<[string, Served]>([
  ['is no longer published', {}],
  ['is another document', { [pageAddress(20)]: '<html>' }],
])('reads the last copy of a page that %s', async (_why, served) => {
  const last = [documentFrom(pageAddress(20), pageAt(20))];
  const first = { [pageAddress(0)]: pageAt(0) };
  const publication = memoryPublication({ ...first, ...served }, { now, last });
  const { documents, isComplete } = await ubuntuNoticePart.contents(publication);
  expect(documents.map(({ url }) => url)).toEqual([pageAddress(0), pageAddress(20)]);
  expect(isComplete).toBe(true);
});

test('reads the last copy of a database that is no longer published', async () => {
  const { said, pockets } = await read({}, [documentFrom(active, createDatabase('security'))]);
  expect(pockets.get('USN-40-1')).toBe('security');
  expect(said).toEqual([]);
});

test.each([
  '',
  '<html>503</html>',
  '[]',
  '{}',
  '{"1-1":{"releases":{}',
  '{"error":"not today"}',
  '{"1-1":{"id":"1-1","releases":[]}}',
])('refuses a database with the content %o', async (text) => {
  await expect(openDatabase(createPublication({ [active]: text }))).rejects.toThrow(BrokenDocument);
});

test.each([
  [`${'AB'.repeat(32)}  database.json.bz2\n`, { algorithm: 'sha256', value: 'ab'.repeat(32) }],
  ['<html>', undefined],
  [503, undefined],
])('verifies the database by its published checksum %j', async (sum, checksum) => {
  const served = createPublication({ ...security, [`${active}.sha256`]: sum });
  const openedWith: (OpenOptions | undefined)[] = [];
  const open: Publication['open'] = (url, options) => {
    if (url === active) openedWith.push(options);
    return served.open(url, options);
  };
  await openDatabase({ ...served, open });
  expect(openedWith.map((options) => options?.checksum)).toEqual([checksum]);
});

async function readRecords(records: Readonly<Record<string, unknown>>) {
  const database = JSON.stringify({ '1-1': { releases: {} }, ...records });
  const publication = createPublication({ [active]: database });
  return readAllItems(ubuntuNoticePart, await ubuntuNoticePart.contents(publication));
}

test.each(['CVE-2026-27171', 'CVE-2026-27171, cve-2026-1234'])(
  'reads a record whose CVEs are the text %s',
  async (cves) => {
    const binaries = { 'wick-doc': { version: '1.0', pocket: 'security' } };
    const readings = await readRecords({ '40-1': { cves, releases: { jammy: { binaries } } } });
    expect(listSaid(readings)).toEqual([]);
    expect(indexEntries(readings).get('USN-40-1')?.detail.releasePackages).toMatchObject([
      { name: 'wick' },
      { name: 'wick-doc' },
    ]);
  },
);

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
  const readings = await readRecords({ '40-1': record, '9999-1': record });
  const rejections = readings.filter(({ kind }) => kind === 'rejection');
  expect(rejections).toMatchObject([
    { rejected: 'USN-40-1', reason: expect.stringContaining(reason), url: active },
    { rejected: 'USN-9999-1', keys: [] },
  ]);
  expect(rejections[0]).not.toHaveProperty('keys');
  const keys = [...indexEntries(readings).keys()];
  expect(keys).toHaveLength(39);
  expect(keys).not.toContain('USN-40-1');
});
