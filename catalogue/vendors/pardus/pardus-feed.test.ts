import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Entry, FeedItem, Publication } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { pardusFeed } from './pardus-feed.ts';

const fixtures = publicationFrom(new URL('./fixtures/', import.meta.url));
const key = readFileSync(new URL('./fixtures/signing-key.asc', import.meta.url), 'utf8');
const security = 'guvenlik yirmiuc-deb';

async function readings(part: string, publication: Publication = fixtures): Promise<FeedItem[]> {
  return readingsOf(partOf(pardusFeed, part), await partOf(pardusFeed, part).contents(publication));
}

async function entries(part: string, publication?: Publication): Promise<Map<string, Entry>> {
  const read = await readings(part, publication);
  return new Map(
    read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
  );
}

const remarks = async (part: string, publication?: Publication) =>
  (await readings(part, publication)).flatMap((reading) =>
    reading.kind === 'remark' ? [reading.remark] : [],
  );

test('the layers of each release are parts, and what Pardus says of its releases', () => {
  expect(pardusFeed.parts.map(({ key: part }) => part)).toEqual([
    'pardus yirmibes',
    'pardus yirmibes-deb',
    'guvenlik yirmibes-deb',
    'pardus yirmiuc',
    'pardus yirmiuc-deb',
    'guvenlik yirmiuc-deb',
    'pardus yirmibir',
    'guvenlik yirmibir',
    'pardus ondokuz',
    'guvenlik ondokuz',
    'releases',
  ]);
});

test('a suite is its release, its indexes by their checksums, and what Debian says of the packages', async () => {
  const { documents, whole } = await partOf(pardusFeed, security).contents(fixtures);
  expect(documents.map(({ url }) => url.replace(/[0-9a-f]{64}/, 'sum'))).toEqual([
    'https://depo.pardus.org.tr/guvenlik/dists/yirmiuc-deb/InRelease',
    'https://depo.pardus.org.tr/guvenlik/dists/yirmiuc-deb/main/binary-amd64/by-hash/SHA256/sum',
    'https://depo.pardus.org.tr/guvenlik/dists/yirmiuc-deb/contrib/binary-amd64/by-hash/SHA256/sum',
    'https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/DSA/list',
    'https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/DLA/list',
    'https://security-tracker.debian.org/tracker/data/json',
  ]);
  expect(whole).toBe(true);
});

test('one row for all binary packages of a source version, with the newest advisory of Debian', async () => {
  const lantern = (await entries(security)).get(`${security}|lantern|2:4.1-7+deb12u1`);
  expect(lantern?.row).toEqual({
    title: 'lantern - regression update',
    pkgName: 'lantern',
    osVersion: 'Pardus 23 guvenlik',
    bulletinId: 'DSA-9003-2',
    priority: 'unassigned',
    pkgAndVersion: 'lantern 2:4.1-7+deb12u1',
    releaseDate: Date.UTC(2031, 5, 5),
  });
  expect(lantern?.detail).toMatchObject({
    referenceLink: 'https://security-tracker.debian.org/tracker/DSA-9003-2',
    cve: [],
  });
  const version = '2:4.1-7+deb12u1';
  expect(lantern?.detail.packages).toEqual([
    { name: 'liblantern4', version, architecture: 'amd64', checksum: '2'.repeat(64) },
    { name: 'lantern', version, architecture: 'amd64', checksum: '3'.repeat(64) },
    { name: 'lantern-doc', version, architecture: 'all', checksum: '4'.repeat(64) },
    { name: 'lantern-extra', version, architecture: 'amd64', checksum: '8'.repeat(64) },
  ]);
});

test('versions are compared as dpkg does; the highest urgency on the base release counts', async () => {
  const wick = (await entries(security)).get(`${security}|wick|0.9-1+deb12u1`);
  expect(wick?.row).toMatchObject({
    bulletinId: 'DSA-9001-1',
    priority: 'medium',
    title: 'wick - security update',
  });
  expect(wick?.detail).toMatchObject({
    cve: ['CVE-2031-20002', 'CVE-2031-20003'],
    packages: [{ name: 'wick', version: '0.9-1+deb12u1+b2' }],
  });
});

test('what no advisory of the base release brought has none', async () => {
  const read = await entries(security);
  for (const none of [`${security}|candle|1.0-1`, `${security}|lantern|2:4.1-6+deb12u9`]) {
    expect(read.get(none)?.row).toMatchObject({
      bulletinId: null,
      priority: null,
      releaseDate: null,
    });
    expect(read.get(none)?.detail).toMatchObject({ referenceLink: null, cve: [] });
  }
  expect(read.get(`${security}|lantern|2:4.1-6+deb12u9`)?.row.title).toBe('lighting daemon');
});

test("a package of Pardus' own", async () => {
  const own = (await entries('pardus yirmiuc')).get('pardus yirmiuc|pardus-lantern|0.6.3');
  expect(own?.row).toEqual({
    title: "Pardus'un feneri",
    pkgName: 'pardus-lantern',
    osVersion: 'Pardus 23',
    bulletinId: null,
    priority: null,
    pkgAndVersion: 'pardus-lantern 0.6.3',
    releaseDate: null,
  });
  expect(own?.detail.description).toBe('Işık verir.\n\nÇok ışık verir.');
});

test('a key that is not known, a state that is past, are never passed over in silence', async () => {
  const unverified =
    "it is signed, but the vendor's key is not known here: the signature was not verified";
  expect(await remarks('pardus yirmiuc')).toEqual([unverified]);
  expect(await remarks(security)).toEqual([
    unverified,
    'the vendor stood by this state until 2019-01-07T09:15:10.000Z only: the mirror may have fallen behind',
  ]);
});

test('a key that an administrator trusts is held to', async () => {
  expect(await remarks('pardus yirmiuc', { ...fixtures, trustedKeys: [key] })).toEqual([]);
  const altered: Publication = {
    ...fixtures,
    trustedKeys: [key],
    async open(url, options) {
      const document = await fixtures.open(url, options);
      return url.endsWith('InRelease')
        ? documentFrom(url, (await document.text()).replace('Suite:', 'Suite: x'))
        : document;
    },
  };
  await expect(readings('pardus yirmiuc', altered)).rejects.toThrow(
    'none of its signatures is good',
  );
});

test('an index is held to the checksum that was signed', async () => {
  const summed: (string | undefined)[] = [];
  const publication: Publication = {
    ...fixtures,
    async open(url, options) {
      if (url.includes('binary-amd64')) summed.push(options?.checksum?.value);
      return fixtures.open(url, options);
    },
  };
  await readings('pardus yirmiuc', publication);
  expect(summed).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('without the lists of Debian there are packages, without bulletins', async () => {
  const publication: Publication = {
    ...fixtures,
    async open(url, options) {
      if (!url.includes('pardus')) throw new NotPublished(url);
      return fixtures.open(url, options);
    },
  };
  const read = await entries(security, publication);
  expect(read.size).toBe(4);
  for (const { row } of read.values()) expect(row.bulletinId).toBeNull();
});

test('a record that is no package is kept out', async () => {
  expect(
    (await readings(security)).filter((reading) => reading.kind === 'rejection'),
  ).toMatchObject([{ kind: 'rejection', rejected: 'snuffer', reason: 'it has no Version' }]);
});

test('a release that is not collected is spoken of; something else than the list of releases throws', async () => {
  expect(await readings('releases')).toEqual([
    { kind: 'remark', remark: 'Pardus 27 (yirmiyedi) is published, and not collected yet' },
  ]);
  for (const text of ['<html>', '[]', '{"pardus":{}}']) {
    const publication: Publication = { ...fixtures, open: async (url) => documentFrom(url, text) };
    await expect(readings('releases', publication)).rejects.toThrow('it is no list of releases');
  }
  const odd = '{"pardus":[{"name":7},{"name":"yirmiyedi","version":27}]}';
  expect(
    await readings('releases', { ...fixtures, open: async (url) => documentFrom(url, odd) }),
  ).toMatchObject([
    { kind: 'rejection', rejected: 'release 1' },
    { kind: 'remark', remark: expect.stringContaining('Pardus 27') },
  ]);
});
