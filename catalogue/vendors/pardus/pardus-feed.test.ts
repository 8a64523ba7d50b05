import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Publication } from '../../definition/feed.ts';
import { createReader, formatEntry } from '../../testing/feed-reader.ts';
import { pardusFeed } from './pardus-feed.ts';

const { documents, entries, fixtures, instead, readings, said } = createReader(pardusFeed);
const key = readFileSync(new URL('./fixtures/signing-key.asc', import.meta.url), 'utf8');
const security = 'guvenlik yirmiuc-deb';
const showEntry = async (part: string, fix: string) =>
  formatEntry((await entries(part)).get(`${part}|${fix}`));

test('has a part for each layer of a release, and one for the list of releases', () => {
  expect(pardusFeed.parts.map(({ key: part }) => part).join(', ')).toBe(
    'pardus yirmibes, pardus yirmibes-deb, guvenlik yirmibes-deb, pardus yirmiuc, pardus yirmiuc-deb, guvenlik yirmiuc-deb, pardus yirmibir, guvenlik yirmibir, pardus ondokuz, guvenlik ondokuz, releases',
  );
});

test("opens a suite's release, its indexes by checksum and Debian's documents", async () => {
  const suite = 'https://depo.pardus.org.tr/guvenlik/dists/yirmiuc-deb';
  const debian = 'https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data';
  expect(await documents(security)).toEqual([
    `${suite}/InRelease`,
    `${suite}/main/binary-amd64/by-hash/SHA256/sum`,
    `${suite}/contrib/binary-amd64/by-hash/SHA256/sum`,
    `${debian}/DSA/list`,
    `${debian}/DLA/list`,
    'https://security-tracker.debian.org/tracker/data/json',
    true,
  ]);
});

test("yields one row for all binary packages of a source version, with Debian's newest advisory", async () => {
  expect(await showEntry(security, 'lantern|2:4.1-7+deb12u1')).toEqual({
    title: 'lantern - regression update',
    pkgName: 'lantern',
    osVersion: 'Pardus 23 guvenlik',
    bulletinId: 'DSA-9003-2',
    priority: 'unassigned',
    pkgAndVersion: 'lantern 2:4.1-7+deb12u1',
    releaseDate: Date.UTC(2031, 5, 5),
    referenceLink: 'https://security-tracker.debian.org/tracker/DSA-9003-2',
    packages: [
      'liblantern4 2:4.1-7+deb12u1 amd64 2…',
      'lantern 2:4.1-7+deb12u1 amd64 3…',
      'lantern-doc 2:4.1-7+deb12u1 all 4…',
      'lantern-extra 2:4.1-7+deb12u1 amd64 8…',
    ],
  });
});

test('compares versions as dpkg does, and takes the highest urgency on the base release', async () => {
  expect(await showEntry(security, 'wick|0.9-1+deb12u1')).toMatchObject({
    bulletinId: 'DSA-9001-1',
    priority: 'medium',
    title: 'wick - security update',
    cve: ['CVE-2031-20002', 'CVE-2031-20003'],
    packages: [expect.stringMatching(/^wick 0\.9-1\+deb12u1\+b2 /)],
  });
});

test.each([
  ['candle|1.0-1', security, expect.any(String), 'Pardus 23 guvenlik', undefined],
  ['lantern|2:4.1-6+deb12u9', security, 'lighting daemon', 'Pardus 23 guvenlik', undefined],
  [
    'pardus-lantern|0.6.3',
    'pardus yirmiuc',
    "Pardus'un feneri",
    'Pardus 23',
    'Işık verir.\n\nÇok ışık verir.',
  ],
])(
  'shows %s of %s without an advisory when the base release has none for it',
  async (fix, part, title, osVersion, description) => {
    const [pkgName] = fix.split('|');
    const read = await showEntry(part, fix);
    expect(read).toEqual({
      title,
      pkgName,
      osVersion,
      pkgAndVersion: fix.replace('|', ' '),
      description: description ?? read.description,
      packages: expect.anything(),
    });
  },
);

test('adds remarks on an unknown key and an outdated state', async () => {
  const unverified =
    "it is signed, but the vendor's key is not known here: the signature was not verified";
  expect(await said('pardus yirmiuc')).toEqual([unverified]);
  expect(await said(security)).toEqual([
    unverified,
    'the vendor stood by this state until 2019-01-07T09:15:10.000Z only: the mirror may have fallen behind',
    'snuffer: it has no Version',
  ]);
});

test('verifies signatures by a key that an administrator trusts', async () => {
  const trusted = { ...fixtures, trustedKeys: [key] };
  expect(await said('pardus yirmiuc', trusted)).toEqual([]);
  const release = 'https://depo.pardus.org.tr/pardus/dists/yirmiuc/InRelease';
  const text = (await (await fixtures.open(release)).text()).replace('Suite:', 'Suite: x');
  const altered = instead((url) => (url === release ? text : undefined), { trustedKeys: [key] });
  await expect(readings('pardus yirmiuc', altered)).rejects.toThrow(
    'none of its signatures is good',
  );
});

test('verifies an index by its signed checksum', async () => {
  const summed: (string | undefined)[] = [];
  const open: Publication['open'] = async (url, options) => {
    if (url.includes('binary-amd64')) summed.push(options?.checksum?.value);
    return fixtures.open(url, options);
  };
  await readings('pardus yirmiuc', { ...fixtures, open });
  expect(summed).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test("yields packages without bulletins when Debian's lists are missing", async () => {
  const without = instead((url) => (url.includes('pardus') ? undefined : null));
  const read = [...(await entries(security, without)).values()];
  expect(read.map(({ row }) => row.bulletinId)).toEqual([null, null, null, null]);
});

test('adds a remark on a release without a part, and throws on anything but the list of releases', async () => {
  const published = 'Pardus 27 (yirmiyedi) is published, and not collected yet';
  expect(await said('releases')).toEqual([published]);
  for (const text of ['<html>', '[]', '{"pardus":{}}'])
    await expect(
      readings(
        'releases',
        instead(() => text),
      ),
    ).rejects.toThrow(/it is not (valid JSON|a list of releases)/);
  const odd = instead(() => '{"pardus":[{"name":7},{"name":"yirmiyedi","version":27}]}');
  expect(await said('releases', odd)).toEqual([expect.stringMatching(/^release 1: /), published]);
});
