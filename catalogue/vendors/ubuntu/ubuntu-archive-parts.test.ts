import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Entry, FeedItem, Publication } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { ubuntuFeed } from './ubuntu-feed.ts';

const fixtures = publicationFrom(new URL('./fixtures/', import.meta.url));
const suite = partOf(ubuntuFeed, 'jammy-security');
const dists = 'http://security.ubuntu.com/ubuntu/dists/jammy-security';

const readings = async (publication: Publication): Promise<FeedItem[]> =>
  readingsOf(suite, await suite.contents(publication));

async function entries(publication: Publication = fixtures): Promise<Map<string, Entry>> {
  const read = await readings(publication);
  return new Map(
    read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
  );
}

const without = (...absent: RegExp[]): Publication => ({
  ...fixtures,
  async open(url, options) {
    if (absent.some((pattern) => pattern.test(url))) throw new NotPublished(url);
    return fixtures.open(url, options);
  },
});

test('a suite is its signed release, the index of each component that has packages, the notices and the priorities', async () => {
  const { documents, whole } = await suite.contents(fixtures);
  expect(documents.map(({ url }) => url)).toEqual([
    `${dists}/InRelease`,
    `${dists}/main/binary-amd64/Packages`,
    `${dists}/universe/binary-amd64/Packages`,
    'https://usn.ubuntu.com/usn-db/database.json.bz2',
    'https://security-metadata.canonical.com/osv/osv-all.tar.xz',
  ]);
  expect(whole).toBe(true);
});

test('a package in full, with what the notices of its source version say', async () => {
  const lantern = (await entries()).get('jammy-security|main|lanternd|2:4.1-5ubuntu0.1|amd64');
  expect(lantern?.list.key).toBe('linux_patch_repository');
  expect(lantern?.row).toEqual({
    patchId: 'jammy-security|main|lanternd|2:4.1-5ubuntu0.1|amd64',
    title: 'lighting daemon',
    sourcePkgName: 'lantern',
    sourcePkgVersion: '2:4.1-5ubuntu0.1',
    binaryPkgName: 'lanternd',
    binaryPkgVersion: '2:4.1-5ubuntu0.1',
    releaseDate: 1938000000500,
    distribution: 'jammy-security',
    urgency: 'high',
    priority: 'optional',
    arch: 'amd64',
    phasedUpdate: null,
  });
  expect(lantern?.detail).toEqual({
    releaseDateFrom: 'Notice USN-9001-1',
    component: 'main',
    section: 'net',
    size: 69728,
    downloadUrl:
      'http://security.ubuntu.com/ubuntu/pool/main/l/lantern/lanternd_4.1-5ubuntu0.1_amd64.deb',
    checksum: '1'.repeat(64),
    description: null,
    notices: ['USN-9001-1', 'USN-9002-1'],
    cve: ['CVE-2031-20001', 'CVE-2031-20002', 'CVE-2031-20003'],
  });
});

test('a source version of its own; a signed kernel is found by its binary package', async () => {
  const kernel = (await entries()).get(
    'jammy-security|main|linux-image-6.1.0-9-generic|6.1.0-9.9|amd64',
  );
  expect(kernel?.row).toMatchObject({
    sourcePkgName: 'linux-signed',
    sourcePkgVersion: '6.1.0-9.9+1',
    releaseDate: null,
    urgency: null,
    priority: 'standard',
  });
  expect(kernel?.detail).toMatchObject({
    description: expect.stringMatching(
      /^A kernel image for generic\. {2}This version .{5} is signed\.\n\nIt is not for everyone\.$/,
    ),
    notices: ['USN-9003-1'],
    cve: ['CVE-2031-20004'],
  });
});

test('two versions of a package are both listed; what no notice names has no date', async () => {
  const read = await entries();
  const wicks = [...read.values()].filter(({ row }) => row.binaryPkgName === 'wick');
  expect(wicks.map(({ row }) => row.binaryPkgVersion)).toEqual([
    '0.9-1ubuntu0.1',
    '0.9-1ubuntu0.2',
  ]);
  for (const { row, detail } of wicks) {
    expect(row).toMatchObject({
      title: 'wick',
      releaseDate: null,
      urgency: null,
      sourcePkgName: 'wick',
      priority: 'extra',
    });
    expect(detail).toMatchObject({ notices: [], cve: [], releaseDateFrom: null });
  }
  // A priority that is none of dpkg's is shown as it is; the engine reports it.
  expect(read.get('jammy-security|universe|candle|1.0-1|all')?.row).toMatchObject({
    priority: 'source',
    title: 'candles',
  });
});

test('an update that is offered to some machines only says to how many', async () => {
  const phased = [...(await entries()).values()].filter(({ row }) => row.phasedUpdate !== null);
  expect(phased.map(({ key, row }) => [key, row.phasedUpdate])).toEqual([
    ['jammy-security|main|wick|0.9-1ubuntu0.2|all', 40],
  ]);
});

test('the packages of a release are dated by its Release file, unless a notice names them; those of one in the making are not', async () => {
  const release = ubuntuFeed.otherParts?.partOf('jammy');
  if (!release) throw new Error('An administrator can add it');
  const releaseEntries = async (publication: Publication) => {
    const read = await readingsOf(release, await release.contents(publication));
    return read
      .filter((reading) => reading.kind === 'entry')
      .map(({ key, row, detail }) => [key, row.releaseDate, detail.releaseDateFrom]);
  };
  const lanternd = [
    'jammy|main|lanternd|2:4.1-5ubuntu0.1|amd64',
    1938000000500,
    'Notice USN-9001-1',
  ];
  const tallow = 'jammy|main|tallow|1.0-1|all';
  expect(await releaseEntries(fixtures)).toEqual([
    lanternd,
    [tallow, Date.UTC(2022, 3, 21, 17, 16, 8), 'Release file of jammy'],
  ]);
  expect(await releaseEntries(without(/distro-info-data/))).toEqual([
    lanternd,
    [tallow, null, null],
  ]);
  const csv = 'version,series,release\n22.04,jammy,2022-04-22\n';
  const later: Publication = {
    ...fixtures,
    open: async (url, options) =>
      url.endsWith('/ubuntu.csv') ? documentFrom(url, csv) : fixtures.open(url, options),
  };
  expect(await releaseEntries(later)).toEqual([lanternd, [tallow, null, null]]);
});

test('a record without a version is kept out', async () => {
  const url = `${dists}/main/binary-amd64/Packages`;
  expect((await readings(fixtures)).filter((reading) => reading.kind !== 'entry')).toEqual([
    { kind: 'remark', remark: expect.stringMatching(/^USN-9005-1: .*cannot be read/) },
    { kind: 'rejection', rejected: 'snuffer', reason: 'it has no Version', url },
  ]);
});

test('without notices and priorities the packages are read all the same', async () => {
  const read = await entries(without(/usn-db/, /osv-all/));
  expect(read.size).toBe(5);
  expect(read.get('jammy-security|main|lanternd|2:4.1-5ubuntu0.1|amd64')?.row).toMatchObject({
    releaseDate: null,
    urgency: null,
  });
});

test('a notice database that is gone is read from its last copy', async () => {
  const database = await fixtures.open('https://usn.ubuntu.com/usn-db/database.json.bz2');
  const read = await entries({ ...without(/usn-db/), readLast: async () => [database] });
  expect(read.get('jammy-security|main|lanternd|2:4.1-5ubuntu0.1|amd64')?.row.releaseDate).toBe(
    1938000000500,
  );
});

test('reports a component that is listed but not published, and withdraws none of its records', async () => {
  const publication = without(/universe/);
  expect((await suite.contents(publication)).whole).toBe(false);
  expect(await readings(publication)).toContainEqual({
    kind: 'remark',
    remark: 'universe: listed, but not published; the records already known are kept',
  });
  await expect(suite.contents(without(/binary-amd64/))).rejects.toThrow(
    'of the indexes it lists (main, universe) none is published',
  );
});

test('a state that is older than the one read last is spoken of', async () => {
  const release = await fixtures.open(`${dists}/InRelease`);
  const newer = documentFrom(
    release.url,
    (await release.text()).replace('04 Jun 2031', '05 Jun 2031'),
  );
  expect(await readings({ ...fixtures, readLast: async () => [newer] })).toContainEqual({
    kind: 'remark',
    remark:
      'this state of 2031-06-04T09:08:07.000Z is older than one that was read before, of 2031-06-05T09:08:07.000Z',
  });
  expect(await readings({ ...fixtures, readLast: async () => [release] })).toEqual(
    await readings(fixtures),
  );
});

test('a suite that is not there is not published', async () => {
  await expect(partOf(ubuntuFeed, 'noble-updates').contents(fixtures)).rejects.toThrow(
    NotPublished,
  );
});

test('what is signed by an unknown key, or altered, is not believed', async () => {
  await expect(suite.contents({ ...fixtures, trustedKeys: [] })).rejects.toThrow(
    'none of its signatures is good: Could not find signing key with key ID',
  );
  const altered: Publication = {
    ...fixtures,
    async open(url, options) {
      const document = await fixtures.open(url, options);
      return url.endsWith('InRelease')
        ? documentFrom(url, (await document.text()).replace('Suite: jammy', 'Suite: jimmy'))
        : document;
    },
  };
  await expect(suite.contents(altered)).rejects.toThrow(
    'none of its signatures is good: Signed digest did not match',
  );
});

test('an archive of priorities that is none throws', async () => {
  const publication: Publication = {
    ...fixtures,
    open: async (url, options) =>
      url.includes('osv-all')
        ? documentFrom(url, '<html>'.repeat(200))
        : fixtures.open(url, options),
  };
  await expect(readings(publication)).rejects.toThrow(
    'osv-all.tar.xz cannot be read: it is no tar archive',
  );
});
