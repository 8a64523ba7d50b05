import { expect, test } from 'vitest';
import type { Document, OpenOptions, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { entriesOf, saidOf } from '../../testing/feed-reader.ts';
import { memoryPublication, type Served } from '../../testing/memory-publication.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { openDatabase } from './ubuntu-notice-database.ts';
import { ubuntuNoticePart } from './ubuntu-notice-part.ts';

const all = 'https://usn.ubuntu.com/usn-db/database-all.json.bz2';
const active = 'https://usn.ubuntu.com/usn-db/database.json.bz2';
const now = Date.UTC(2031, 5, 4);

/** Of 40 notices the newest has the highest number. */
const pageAt = (offset: number) =>
  JSON.stringify({
    notices: Array.from({ length: 20 }, (_, place) => ({
      id: `USN-${40 - offset - place}-1`,
      releases: [{ codename: 'jammy', version: '22.04' }],
      release_packages: { jammy: [{ name: 'wick', version: '1.0', is_source: false }] },
    })),
    offset,
    total_results: 40,
  });
const pages = Object.fromEntries(
  [0, 20].map((offset) => [
    `https://ubuntu.com/security/notices.json?limit=20&offset=${offset}&order=newest`,
    pageAt(offset),
  ]),
);

function databaseOf(pocket: string): string {
  const packages = { wick: { version: '1.0', pocket } };
  const record = { releases: { jammy: { binaries: packages, allbinaries: packages } } };
  return JSON.stringify({ '1-1': record, '40-1': { ...record, id: '40-1' } });
}

const publicationOf = (beside: Served, last: readonly Document[] = []) =>
  memoryPublication({ ...pages, ...beside }, { now, last });

/** Which documents are read, and the pocket of each notice's package. */
async function read(beside: Served, last?: readonly Document[]) {
  const contents = await ubuntuNoticePart.contents(publicationOf(beside, last));
  const readings = await readingsOf(ubuntuNoticePart, contents);
  return {
    whole: contents.whole,
    urls: contents.documents.map(({ url }) => url),
    said: saidOf(readings),
    pockets: new Map(
      [...entriesOf(readings)].map(([key, { detail }]) => [
        key,
        (detail.releasePackages as { pocket: unknown }[])[0]?.pocket,
      ]),
    ),
  };
}

test('the database completes the notices of all pages', async () => {
  const last = [
    ...Object.entries(pages).map(([url, text]) => documentFrom(url, text)),
    documentFrom(active, databaseOf('security')),
  ];
  const { whole, urls, pockets } = await read({ [active]: databaseOf('updates') }, last);
  expect(urls).toEqual([...Object.keys(pages), active]);
  expect(whole).toBe(true);
  expect(pockets.size).toBe(40);
  expect(['USN-40-1', 'USN-1-1', 'USN-2-1'].map((key) => pockets.get(key))).toEqual([
    'updates',
    'updates',
    null,
  ]);
});

const security = { [active]: databaseOf('security') };
const missing =
  /^what only the database of notices knows of their packages is missing: .*answered 503/;

test.each<[string, Served, string | null, readonly RegExp[]]>([
  [
    'that of all notices before that of releases still looked after',
    { ...security, [all]: databaseOf('esm-infra') },
    'esm-infra',
    [],
  ],
  ['that of the latter while the former fails', { ...security, [all]: 503 }, 'security', []],
  ['none where none is published', {}, null, []],
  ['none while none can be had, which is said', { [active]: 503 }, null, [missing]],
])('takes of the databases %s', async (_which, beside, pocket, said) => {
  const found = await read(beside);
  expect(found.pockets.get('USN-40-1')).toBe(pocket);
  expect(found.pockets.size).toBe(40);
  expect(found.said).toEqual(said.map((line) => expect.stringMatching(line)));
});

test('one that is not published any more is read from its last copy', async () => {
  const { said, pockets } = await read({}, [documentFrom(active, databaseOf('security'))]);
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
])('a database that says %o is none', async (text) => {
  await expect(openDatabase(publicationOf({ [active]: text }))).rejects.toThrow(BrokenDocument);
});

test.each([
  [`${'AB'.repeat(32)}  database.json.bz2\n`, { algorithm: 'sha256', value: 'ab'.repeat(32) }],
  ['<html>', undefined],
  [503, undefined],
])('it is held to the checksum beside it, where that is %j', async (sum, checksum) => {
  const served = publicationOf({ ...security, [`${active}.sha256`]: sum });
  const asked: (OpenOptions | undefined)[] = [];
  const open: Publication['open'] = (url, options) => {
    if (url === active) asked.push(options);
    return served.open(url, options);
  };
  await openDatabase({ ...served, open });
  expect(asked.map((options) => options?.checksum)).toEqual([checksum]);
});

async function readRecords(records: Readonly<Record<string, unknown>>) {
  const database = JSON.stringify({ '1-1': { releases: {} }, ...records });
  const publication = publicationOf({ [active]: database });
  return readingsOf(ubuntuNoticePart, await ubuntuNoticePart.contents(publication));
}

test.each(['CVE-2026-27171', 'CVE-2026-27171, cve-2026-1234'])(
  'reads a record whose CVEs are the text %s',
  async (cves) => {
    const binaries = { 'wick-doc': { version: '1.0', pocket: 'security' } };
    const readings = await readRecords({ '40-1': { cves, releases: { jammy: { binaries } } } });
    expect(saidOf(readings)).toEqual([]);
    expect(entriesOf(readings).get('USN-40-1')?.detail.releasePackages).toMatchObject([
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
  const keys = [...entriesOf(readings).keys()];
  expect(keys).toHaveLength(39);
  expect(keys).not.toContain('USN-40-1');
});
