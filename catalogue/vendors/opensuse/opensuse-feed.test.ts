import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, Entry, FeedItem, Publication } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { opensuseFeed } from './opensuse-feed.ts';

const fixtures = publicationFrom(new URL('./fixtures/', import.meta.url));
const archive = 'https://ftp.suse.com/pub/projects/security/csaf.tar.bz2';
const withoutArchive: Publication = {
  ...fixtures,
  open: async (url, options) => {
    if (url === archive) throw new NotPublished(url);
    return fixtures.open(url, options);
  },
};

async function readings(release: string, publication: Publication = fixtures): Promise<FeedItem[]> {
  const part = partOf(opensuseFeed, release);
  return readingsOf(part, await part.contents(publication));
}

async function entries(release: string, publication?: Publication): Promise<Map<string, Entry>> {
  const read = await readings(release, publication);
  return new Map(
    read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
  );
}

async function bulletinIds(release: string, publication?: Publication): Promise<string[]> {
  return [...(await entries(release, publication)).values()]
    .map(({ row }) => String(row.bulletinId))
    .toSorted();
}

test('the documents of a release: the updateinfo of each repository, the index of one that has none, the bulletins', async () => {
  const { documents, whole } = await partOf(opensuseFeed, '15.6').contents(fixtures);
  expect(documents.map(({ url }) => url.replace(/\/[\da-f]{64,}-/, '/'))).toEqual([
    'https://download.opensuse.org/update/leap/15.6/oss/repodata/updateinfo.xml.gz',
    'https://download.opensuse.org/update/leap/15.6/non-oss/repodata/repomd.xml',
    'https://download.opensuse.org/update/leap/15.6/sle/repodata/updateinfo.xml.gz',
    archive,
  ]);
  expect(whole).toBe(true);
  await expect(partOf(opensuseFeed, '15.3').contents(fixtures)).rejects.toThrow(NotPublished);
});

test('a patch in full: of two repositories, under the name of its bulletin', async () => {
  const patch = (await entries('15.6')).get('15.6:openSUSE-2021-137');
  expect(patch?.row).toEqual({
    title: 'Security update for lanternd',
    releaseDate: Date.UTC(2021, 5, 3),
    bulletinId: 'openSUSE-SU-2021:0137-2',
    severity: 'Moderate',
    binaryPkgName: ['lanternd', 'lanternd-devel', 'lanternd-libs'],
    category: 'security',
    osVersion: ['openSUSE Leap 15.6'],
    patchName: 'openSUSE-2021-137',
  });
  const { packages, references, ...facts } = patch?.detail ?? {};
  expect(facts).toEqual({
    updatedDate: null,
    description:
      'This update for lanternd fixes the following issues:\n\n- Overflow in <wick> parsing (boo#2098001)\n',
    rebootSuggested: true,
    restartSuggested: true,
    reloginSuggested: null,
    vendorSeverity: 'moderate',
    vendorCategory: 'security',
    status: 'stable',
    referenceLink: 'https://lists.example.org/openSUSE-SU-2021_0137-2/',
    cve: ['CVE-2021-20001'],
    upstreamAdvisories: [],
    modules: [],
  });
  expect(
    (packages as Record<string, string>[]).map(
      ({ name, version, architecture }) => `${name} ${version} ${architecture}`,
    ),
  ).toEqual([
    'lanternd 4.1-bp156.2.1 x86_64',
    'lanternd-devel 4.1-bp156.2.1 aarch64',
    'lanternd 4.1-bp156.2.1 src',
    'lanternd-libs 4.1-bp156.2.1 x86_64',
  ]);
  expect(references).toHaveLength(2);
});

test('a patch for two releases is a row in each, under the bulletin that lists the release', async () => {
  const patch = (await entries('15.5')).get('15.5:openSUSE-2021-137');
  expect(patch?.row).toMatchObject({
    bulletinId: 'openSUSE-SU-2021:0137-1',
    osVersion: ['openSUSE Leap 15.5'],
  });
});

test('what is retracted is not listed, a re-release takes the place of what was', async () => {
  const patches = await entries('15.6');
  expect([...patches.keys()].toSorted()).toEqual([
    '15.6:openSUSE-2021-137',
    '15.6:openSUSE-2021-138',
    '15.6:openSUSE-2021-141',
    '15.6:openSUSE-SLE-15.6-2021-91',
    '15.6:openSUSE-SLE-15.6-2021-92',
  ]);
  expect(patches.get('15.6:openSUSE-2021-138')?.row).toMatchObject({
    title: 'Recommended update for candle, second',
    binaryPkgName: ['candle'],
    category: 'bugfix',
  });
});

test('ids of patches that no bulletin lists are built from their number', async () => {
  expect(await bulletinIds('15.6')).toEqual([
    'SUSE-RU-2021:0092-1',
    'SUSE-SU-2021:0140-1',
    'openSUSE-FU-2021:0141-1',
    'openSUSE-RU-2021:0138-1',
    'openSUSE-SU-2021:0137-2',
  ]);
  expect(await bulletinIds('15.6', withoutArchive)).toEqual([
    'SUSE-RU-2021:0092-1',
    'SUSE-SU-2021:0091-1',
    'openSUSE-FU-2021:0141-1',
    'openSUSE-RU-2021:0138-1',
    'openSUSE-SU-2021:0137-1',
  ]);
});

test('bulletins that were read before are not given up when the archive is gone', async () => {
  const last: readonly Document[] = [await fixtures.open(archive)];
  expect(await bulletinIds('15.6', { ...withoutArchive, readLast: async () => last })).toContain(
    'SUSE-SU-2021:0140-1',
  );
});

test('what an administrator should know', async () => {
  expect((await readings('15.6')).filter((reading) => reading.kind !== 'entry')).toEqual([
    {
      kind: 'remark',
      remark: `${archive}: csaf/opensuse-su-2021_0151-1.json is not a CSAF document that can be read`,
    },
  ]);
});

test('a patch that cannot be used is kept out under the key of its row, so that the row is kept', async () => {
  const text =
    '<updates><update><id>openSUSE-2021-1</id><pkglist><collection><package arch="noarch"/></collection></pkglist></update></updates>';
  const updateinfo = documentFrom(
    'https://download.opensuse.org/update/leap/15.6/oss/repodata/updateinfo.xml',
    text,
  );
  const read = await allOf(
    partOf(opensuseFeed, '15.6').read({ documents: [updateinfo], whole: true }),
  );
  expect(read).toMatchObject([
    { kind: 'rejection', rejected: 'openSUSE-2021-1', keys: ['15.6:openSUSE-2021-1'] },
  ]);
});
