import { expect, test } from 'vitest';
import { FetchFailed } from '../../definition/document-errors.ts';
import type { Publication } from '../../definition/feed.ts';
import { feedRemarkText } from '../../definition/feed-remark-text.ts';
import { createReader, formatEntry, type Instead } from '../../testing/feed-reader.ts';
import { findComplaints } from '../../testing/find-complaints.ts';
import { findPart } from '../../testing/find-part.ts';
import { rockylinuxFeed } from './rockylinux-feed.ts';

const { entries, fixtures, instead, readings, said } = createReader(rockylinuxFeed);
const apollo = 'https://apollo.build.resf.org/';
const mirror = 'https://dl.rockylinux.org/pub/rocky/';
const overloaded = new FetchFailed(
  `${apollo}page`,
  { code: 'status', params: { status: 503 } },
  { attempts: 4, milliseconds: 9000 },
);

/** Serves the fault of the first prefix that matches the address. */
const faulty = (faults: Readonly<Record<string, ReturnType<Instead>>>, more = {}) =>
  instead((url) => faults[Object.keys(faults).find((at) => url.startsWith(at)) ?? ''], more);
const down = { [apollo]: overloaded };
const withoutApollo = faulty(down);
const openContents = (publication: Publication) =>
  findPart(rockylinuxFeed, 'advisories').contents(publication);
const listStandInTexts = async (publication: Publication) =>
  ((await openContents(publication)).standIn ?? []).map(feedRemarkText);
const createKnown =
  (...known: readonly string[]): Publication['known'] =>
  async (_list, keys) =>
    new Set(keys.filter((key) => known.includes(key)));

test('reads advisories from the repositories under the same keys while Apollo is unavailable, and says why', async () => {
  expect((await openContents(withoutApollo)).isComplete).toBe(false);
  expect(await listStandInTexts(withoutApollo)).toEqual([
    `Apollo, the errata service, is missing: ${overloaded.message} Until it is back, new advisories are read from the updateinfo of the repositories.`,
  ]);
  const read = await entries('advisories', withoutApollo);
  expect([...read.keys()].toSorted()).toEqual([
    '8:RLSA-2031:4101',
    '9:RLEA-2031:4104',
    '9:RLSA-2031:4101',
  ]);
  expect([...read.values()].flatMap(findComplaints)).toEqual([]);
  const inApollo = await entries('advisories');
  for (const [key, { row }] of read) {
    const { title, bulletinId, severity, category, osVersion } = inApollo.get(key)?.row ?? {};
    expect(row).toMatchObject({ title, bulletinId, category, osVersion });
    expect(row.severity).toBe(category === 'security' ? severity : 'None');
  }
});

test('merges an advisory of two repositories with the modules and CVEs of both', async () => {
  const read = await entries('advisories', withoutApollo);
  expect(formatEntry(read.get('8:RLSA-2031:4101'))).toMatchObject({
    releaseDate: Date.UTC(2021, 5, 3, 7),
    binaryPkgName: ['lanternd', 'candle'],
    updatedDate: Date.UTC(2021, 5, 4, 8, 30),
    description: 'The lanternd packages provide a lighting daemon.',
    referenceLink: 'https://errata.rockylinux.org/RLSA-2031:4101',
    cve: expect.arrayContaining(['CVE-2031-20001', 'CVE-2031-20002']),
    upstreamAdvisories: ['RHSA-2031:4101'],
    modules: [expect.stringMatching(/^lantern-tools 4 /)],
    packages: expect.arrayContaining([
      expect.stringMatching(/^lanternd 2:4\.1-7\.el8_10 .* c… sha256 $/),
      expect.stringMatching(/^candle .* lantern-tools:4:8090020310101010101:abcdef01:x86_64 /),
    ]),
  });
  expect(read.get('9:RLSA-2031:4101')?.detail.packages).toMatchObject([
    { name: 'lanternd', version: '2:4.2-1.el9_5' },
  ]);
  expect(read.get('9:RLEA-2031:4104')?.row).toMatchObject({
    severity: 'None',
    binaryPkgName: [],
    releaseDate: Date.UTC(2021, 5, 3, 7),
  });
});

test('neither replaces nor rejects advisories that the list has from Apollo', async () => {
  const known = ['8:RLSA-2031:4101', '9:RLEA-2031:4104'];
  const some = faulty(down, { known: createKnown(...known) });
  expect([...(await entries('advisories', some)).keys()]).toEqual(['9:RLSA-2031:4101']);
  expect(await said('advisories', some)).toEqual([
    'RXSA-2031:4103: one of its packages has no name [8:RXSA-2031:4103]',
  ]);
  const all = createKnown(...known, '8:RXSA-2031:4103', '9:RLSA-2031:4101');
  expect(await readings('advisories', faulty(down, { known: all }))).toEqual([]);
});

test.each<[string, string, Readonly<Record<string, Error | null>>]>([
  ['is not published', 'not published', { [apollo]: null }],
  ['fails', 'answered 503', { [`${apollo}api/v3/advisories/?page=2`]: overloaded }],
])('reads the repositories when Apollo %s', async (_case, words, faults) => {
  const { standIn = [], documents } = await openContents(faulty(faults));
  expect(standIn.map(feedRemarkText)[0]).toContain(words);
  expect(documents.map(({ url }) => url.slice(0, mirror.length))).toEqual([mirror, mirror, mirror]);
});

test.each([
  ['page', `${apollo}api/v3/advisories/?page=1&size=100`, '<html>', {}, /it is not valid JSON/],
  [
    'index of a repository',
    `${mirror}9/BaseOS/x86_64/os/repodata/repomd.xml`,
    '<repomd><data',
    down,
    /^The updateinfo of Rocky Linux 9 cannot be read/,
  ],
])('distrusts a %s that cannot be read', async (_, url, text, more, words) => {
  const broken = faulty({ [url]: text, ...more });
  expect((await listStandInTexts(broken)).at(-1)).toMatch(words);
  expect(broken.distrusted).toEqual([url]);
});

test("reads the other releases when one's repositories cannot be read, and reports it", async () => {
  const at = `${mirror}8/AppStream/`;
  const error = new FetchFailed(at, { code: 'status', params: { status: 500 } });
  const publication = faulty({ ...down, [at]: error });
  expect((await listStandInTexts(publication)).slice(1)).toEqual([
    `The updateinfo of Rocky Linux 8 cannot be read: ${at} answered 500. The vendor's server is overloaded or down; the next sync tries again.`,
  ]);
  const keys = [...(await entries('advisories', publication)).keys()];
  expect(keys.toSorted()).toEqual(['9:RLEA-2031:4104', '9:RLSA-2031:4101']);
});

test('reports a repository that was read before and is gone, but not a release that never existed', async () => {
  const { documents } = await openContents(withoutApollo);
  const gone = { ...down, [`${mirror}8/AppStream/`]: null };
  const before = faulty(gone, { readLast: async () => documents });
  expect((await listStandInTexts(before)).slice(1)).toEqual([
    expect.stringMatching(
      /^The updateinfo of Rocky Linux 8 cannot be read: .*8\/AppStream\/.* is not published/,
    ),
  ]);
  expect(await listStandInTexts(faulty(gone))).toHaveLength(1);
});

test.each([overloaded, null, '<repomd/>'])(
  "fails with Apollo's error when each repository serves %s",
  async (served) => {
    await expect(openContents(faulty({ ...down, [mirror]: served }))).rejects.toBe(overloaded);
  },
);

test.each([
  new Error('Cancelled by an administrator.'),
  new TypeError('undefined is not a function'),
])('rethrows %s instead of reading the repositories', async (error) => {
  const cancelled = faulty({ [apollo]: error });
  await expect(openContents(cancelled)).rejects.toBe(error);
  expect(cancelled.requested.filter((url) => url.startsWith(mirror))).toEqual([]);
  await expect(openContents(faulty({ ...down, [`${mirror}8/`]: error }))).rejects.toBe(error);
});

test('reads all pages again once Apollo is back', async () => {
  const { documents } = await openContents(withoutApollo);
  const back = {
    ...fixtures,
    known: async (_: unknown, keys: readonly string[]) => new Set(keys),
    readLast: async () => documents,
    lastCompleteReadAt: Date.now() - 1000,
  };
  expect(await openContents(back)).toMatchObject({ documents: [{}, {}], isComplete: true });
});
