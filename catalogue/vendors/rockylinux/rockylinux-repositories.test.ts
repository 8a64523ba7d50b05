import { expect, test } from 'vitest';
import { FetchFailed, NotPublished } from '../../definition/document-errors.ts';
import type {
  Document,
  Entry,
  FeedItem,
  PartManifest,
  Publication,
} from '../../definition/feed.ts';
import { feedRemarkText } from '../../definition/feed-remark.ts';
import { allOf } from '../../testing/all-of.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { rockylinuxFeed } from './rockylinux-feed.ts';

const advisories = partOf(rockylinuxFeed, 'advisories');
const fixtures = new URL('./fixtures/', import.meta.url);
const apollo = 'https://apollo.build.resf.org/';
const mirror = 'https://dl.rockylinux.org/pub/rocky/';

interface Fault {
  /** How the addresses begin that are not answered well. */
  readonly at: string;
  readonly error: Error | ((url: string) => Error);
}

const overloaded = new FetchFailed(
  `${apollo}page`,
  { code: 'status', params: { status: 503 } },
  { attempts: 4, milliseconds: 9000 },
);

function publicationWith(
  faults: readonly Fault[],
  known: readonly string[] = [],
  last: readonly Document[] = [],
) {
  const publication = publicationFrom(fixtures, { known: { rockylinux_patch: known } });
  const distrusted: string[] = [];
  const asked: string[] = [];
  const faulty: Publication = {
    ...publication,
    async open(url, options) {
      asked.push(url);
      const fault = faults.find(({ at }) => url.startsWith(at));
      if (fault !== undefined) throw fault.error instanceof Error ? fault.error : fault.error(url);
      return publication.open(url, options);
    },
    readLast: async () => last,
    async distrust(url) {
      distrusted.push(url);
    },
  };
  return { publication: faulty, asked, distrusted };
}

const apolloDown: Fault = { at: apollo, error: overloaded };
const readingsOf = async (contents: PartManifest): Promise<FeedItem[]> => [
  ...(contents.remarks ?? []),
  ...(await allOf(advisories.read(contents))),
];
const entriesOf = (read: readonly FeedItem[]): Map<string, Entry> =>
  new Map(read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]));

test('while Apollo cannot be read, its advisories come from the repositories under the same keys, and it is said why', async () => {
  const contents = await advisories.contents(publicationWith([apolloDown]).publication);
  expect(contents.whole).toBe(false);
  expect(contents.standIn?.map(feedRemarkText)).toEqual([
    `Apollo, the errata service, is missing: ${overloaded.message} Until it is back, new advisories are read from the updateinfo of the repositories.`,
  ]);
  const entries = entriesOf(await readingsOf(contents));
  expect([...entries.keys()].toSorted()).toEqual([
    '8:RLSA-2031:4101',
    '9:RLEA-2031:4104',
    '9:RLSA-2031:4101',
  ]);
  expect([...entries.values()].flatMap(complaintsOf)).toEqual([]);
  const inApollo = entriesOf(
    await readingsOf(await advisories.contents(publicationFrom(fixtures))),
  );
  for (const [key, { row }] of entries) {
    const { title, bulletinId, severity, category, osVersion } = inApollo.get(key)?.row ?? {};
    expect(row).toMatchObject({
      title,
      bulletinId,
      category,
      osVersion,
      ...(category === 'security' ? { severity } : {}),
    });
  }
});

test('an advisory of two repositories is one entry, with the modules and CVEs of both', async () => {
  const entries = entriesOf(
    await readingsOf(await advisories.contents(publicationWith([apolloDown]).publication)),
  );
  const advisory = entries.get('8:RLSA-2031:4101');
  expect(advisory?.row).toMatchObject({
    releaseDate: Date.UTC(2021, 5, 3, 7),
    binaryPkgName: ['lanternd', 'candle'],
  });
  expect(advisory?.detail).toMatchObject({
    updatedDate: Date.UTC(2021, 5, 4, 8, 30),
    description: 'The lanternd packages provide a lighting daemon.',
    referenceLink: 'https://errata.rockylinux.org/RLSA-2031:4101',
    cve: expect.arrayContaining(['CVE-2031-20001', 'CVE-2031-20002']),
    modules: [{ name: 'lantern-tools', stream: '4' }],
    packages: expect.arrayContaining([
      expect.objectContaining({
        name: 'lanternd',
        version: '2:4.1-7.el8_10',
        checksum: 'c'.repeat(64),
        checksumType: 'sha256',
      }),
      expect.objectContaining({
        name: 'candle',
        module: 'lantern-tools:4:8090020310101010101:abcdef01:x86_64',
      }),
    ]),
  });
  expect(entries.get('9:RLSA-2031:4101')?.detail.packages).toMatchObject([
    { name: 'lanternd', version: '2:4.2-1.el9_5' },
  ]);
  expect(entries.get('9:RLEA-2031:4104')?.row).toMatchObject({
    severity: 'None',
    binaryPkgName: [],
    releaseDate: Date.UTC(2021, 5, 3, 7),
  });
});

test('what the list has already stays as Apollo told it: neither written nor kept out', async () => {
  const known = ['8:RLSA-2031:4101', '9:RLEA-2031:4104'];
  const read = await readingsOf(
    await advisories.contents(publicationWith([apolloDown], known).publication),
  );
  expect(read.filter((reading) => reading.kind === 'entry').map(({ key }) => key)).toEqual([
    '9:RLSA-2031:4101',
  ]);
  expect(read.filter((reading) => reading.kind === 'rejection')).toEqual([
    {
      kind: 'rejection',
      rejected: 'RXSA-2031:4103',
      keys: ['8:RXSA-2031:4103'],
      reason: 'one of its packages has no name',
      url: expect.stringContaining(`${mirror}8/BaseOS/`),
    },
  ]);
  const all = [...known, '8:RXSA-2031:4103', '9:RLSA-2031:4101'];
  expect(
    await readingsOf(await advisories.contents(publicationWith([apolloDown], all).publication)),
  ).toEqual([]);
});

test.each<[string, Error['name'], Fault]>([
  ['is not published', 'not published', { at: apollo, error: (url) => new NotPublished(url) }],
  ['fails', 'answered 503', { at: `${apollo}api/v3/advisories/?page=2`, error: overloaded }],
])('Apollo %s: the repositories stand in', async (_case, words, fault) => {
  const { standIn, documents } = await advisories.contents(publicationWith([fault]).publication);
  expect(standIn?.map(feedRemarkText)[0]).toContain(words);
  expect(documents.map(({ url }) => url.slice(0, mirror.length))).toEqual([mirror, mirror, mirror]);
});

test('a page that cannot be read is not believed the next time', async () => {
  const { publication, distrusted } = publicationWith([]);
  const page = `${apollo}api/v3/advisories/?page=1&size=100`;
  const broken: Publication = {
    ...publication,
    open: async (url, options) =>
      url === page ? documentFrom(url, '<html>') : publication.open(url, options),
  };
  expect((await advisories.contents(broken)).standIn?.map(feedRemarkText)[0]).toMatch(
    /page=1&size=100 cannot be read: it is not valid JSON.*\. Until/,
  );
  expect(distrusted).toEqual([page]);
});

test('a release whose repositories cannot be read leaves the others, and it is said', async () => {
  const down = {
    at: `${mirror}8/AppStream/`,
    error: new FetchFailed(`${mirror}8/AppStream/`, { code: 'status', params: { status: 500 } }),
  };
  const contents = await advisories.contents(publicationWith([apolloDown, down]).publication);
  expect(contents.standIn?.slice(1).map(feedRemarkText)).toEqual([
    `The updateinfo of Rocky Linux 8 cannot be read: ${mirror}8/AppStream/ answered 500. The vendor's server is overloaded or down; the next sync tries again.`,
  ]);
  expect(
    [...entriesOf(await readingsOf(contents)).keys()].every((key) => key.startsWith('9:')),
  ).toBe(true);
});

test('a repository that was read before and is not there any more is spoken of; a release that never was is not', async () => {
  const { documents } = await advisories.contents(publicationWith([apolloDown]).publication);
  const gone: Fault = { at: `${mirror}8/AppStream/`, error: (url) => new NotPublished(url) };
  const before = await advisories.contents(
    publicationWith([apolloDown, gone], [], documents).publication,
  );
  expect(before.standIn?.slice(1).map(feedRemarkText)).toEqual([
    expect.stringMatching(
      /^The updateinfo of Rocky Linux 8 cannot be read: .*8\/AppStream\/.* is not published/,
    ),
  ]);
  expect(
    (await advisories.contents(publicationWith([apolloDown, gone]).publication)).standIn,
  ).toHaveLength(1);
});

test('a repository index that cannot be read is not believed the next time', async () => {
  const { publication, distrusted } = publicationWith([apolloDown]);
  const index = `${mirror}9/BaseOS/x86_64/os/repodata/repomd.xml`;
  const broken: Publication = {
    ...publication,
    open: async (url, options) =>
      url === index ? documentFrom(url, '<repomd><data') : publication.open(url, options),
  };
  expect((await advisories.contents(broken)).standIn).toHaveLength(2);
  expect(distrusted).toEqual([index]);
});

test('when nothing stands in, it is said why Apollo cannot be read', async () => {
  for (const error of [overloaded, (url: string) => new NotPublished(url)]) {
    const { publication } = publicationWith([apolloDown, { at: mirror, error }]);
    await expect(advisories.contents(publication)).rejects.toBe(overloaded);
  }
  const { publication } = publicationWith([apolloDown]);
  const without: Publication = {
    ...publication,
    open: async (url, options) =>
      url.startsWith(mirror) ? documentFrom(url, '<repomd/>') : publication.open(url, options),
  };
  await expect(advisories.contents(without)).rejects.toBe(overloaded);
});

test('does not blame Apollo for a cancelled run or an error of our own', async () => {
  for (const error of [
    new Error('Cancelled by an administrator.'),
    new TypeError('undefined is not a function'),
  ]) {
    const { publication, asked } = publicationWith([{ at: apollo, error }]);
    await expect(advisories.contents(publication)).rejects.toBe(error);
    expect(asked.filter((url) => url.startsWith(mirror))).toEqual([]);
    const later = publicationWith([apolloDown, { at: `${mirror}8/`, error }]);
    await expect(advisories.contents(later.publication)).rejects.toBe(error);
  }
});

test('Apollo back again: all of its pages are read, however lately they were', async () => {
  const { documents } = await advisories.contents(publicationWith([apolloDown]).publication);
  const known = [
    '8:RLSA-2031:4101',
    '9:RLSA-2031:4101',
    '10:RLBA-2031:4102',
    '8:RXSA-2031:4103',
    '9:RLEA-2031:4104',
  ];
  const lately = { readWholeAt: Date.now() - 1000 };
  const back = { ...publicationWith([], known, documents).publication, ...lately };
  expect(await advisories.contents(back)).toMatchObject({ documents: [{}, {}], whole: true });
});
