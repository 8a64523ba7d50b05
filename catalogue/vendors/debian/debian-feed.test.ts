import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Publication } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { debianFeed } from './debian-feed.ts';
import { entries, fixtures, readings, security } from './testing/debian-readings.ts';

const address = (key: string) =>
  `https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/${key}/list`;
const tracker = 'https://security-tracker.debian.org/tracker/data/json';

/** The list in place of the fixture's. */
const withList = (text: string): Publication => ({
  ...fixtures,
  open: async (url, options) =>
    url === address('DSA') ? documentFrom(url, text) : fixtures.open(url, options),
});

test('a part is its list, the tracker, the names of the releases and the security suites of those that are released', async () => {
  const contents = await partOf(debianFeed, 'DLA').contents(fixtures);
  expect(contents.documents.map(({ url }) => url.replace(/[\da-f]{64}/, 'sum'))).toEqual([
    address('DLA'),
    tracker,
    'https://debian.pages.debian.net/distro-info-data/debian.csv',
    `${security}/InRelease`,
    `${security}/main/binary-amd64/by-hash/SHA256/sum`,
    `${security}/non-free-firmware/binary-amd64/by-hash/SHA256/sum`,
  ]);
  expect(contents.whole).toBe(true);
});

test('the part of the security team says what the tracker knows and nothing fixes', async () => {
  const unfixed = (await readings('DSA')).filter((reading) => reading.kind === 'unfixed');
  expect(unfixed.map(({ release, cve }) => [release, cve])).toEqual([
    ['Debian 13', 'CVE-2031-29999'],
  ]);
  const others = await readings('DLA');
  expect(others.filter((reading) => reading.kind === 'unfixed')).toEqual([]);
});

test('an advisory is a row for each release and source package', async () => {
  const rows = [...(await entries('DSA'))].filter(([key]) => key.startsWith('DSA-9003-1|'));
  const common = {
    title: 'lanternd - security update',
    bulletinId: 'DSA-9003-1',
    releaseDate: Date.UTC(2031, 5, 3),
  };
  expect(rows.map(([key, { row }]) => [key, row])).toEqual([
    [
      'DSA-9003-1|trixie|lanternd',
      {
        ...common,
        pkgName: 'lanternd',
        osVersion: 'Debian 13',
        priority: 'unimportant',
        pkgAndVersion: 'lanternd 2:4.1-7~deb13u1',
      },
    ],
    [
      'DSA-9003-1|bookworm|lanternd',
      {
        ...common,
        pkgName: 'lanternd',
        osVersion: 'Debian 12',
        priority: 'high',
        pkgAndVersion: 'lanternd 4.1-2+deb12u1',
      },
    ],
    [
      'DSA-9003-1|bookworm|wick',
      {
        ...common,
        pkgName: 'wick',
        osVersion: 'Debian 12',
        priority: 'unassigned',
        pkgAndVersion: 'wick 0.9-1+deb12u1',
      },
    ],
    [
      'DSA-9003-1|sid|wick',
      {
        ...common,
        pkgName: 'wick',
        osVersion: 'Debian sid',
        priority: 'end-of-life',
        pkgAndVersion: 'wick 0.9-2',
      },
    ],
    [
      'DSA-9003-1|halogen|wick',
      {
        ...common,
        pkgName: 'wick',
        osVersion: 'Debian 17',
        priority: 'unassigned',
        pkgAndVersion: 'wick 0.9-3',
      },
    ],
  ]);
  expect(rows[0]?.[1].detail).toEqual({
    description: null,
    vendorPriority: 'unimportant',
    referenceLink: 'https://security-tracker.debian.org/tracker/DSA-9003-1',
    cve: ['CVE-2031-20001', 'CVE-2031-20002'],
    packagesFrom: null,
    packages: [],
  });
});

test('a code name and an urgency that nobody knows are reported', async () => {
  const text =
    '[03 Jun 2031] DSA-9005-1 wick - security update\n\t[foo] - wick 1.0-1\n\t[sid] - wick 1.0-2\n';
  const [foo, sid] = [...(await entries('DSA', withList(text))).values()];
  expect(foo?.unknownWords).toEqual([
    { vocabulary: 'release', word: 'foo', shownAs: 'Debian foo' },
  ]);
  expect(sid).not.toHaveProperty('unknownWords');
});

test('a second advisory is one of its own, with its note', async () => {
  const regression = (await entries('DSA')).get('DSA-9003-2|bookworm|lanternd');
  expect(regression?.row).toMatchObject({
    title: 'lanternd - regression update',
    priority: 'unassigned',
  });
  expect(regression?.detail).toMatchObject({
    description: 'The first update made it flicker',
    cve: [],
  });
});

test('old headers, spaces for a tab, a title without a package', async () => {
  const read = await entries('DSA');
  expect(read.get('DSA-153|woody|mantle')?.row).toMatchObject({
    title: 'mantle -- cross site code execution',
    bulletinId: 'DSA-153',
    osVersion: 'Debian 3.0',
    pkgAndVersion: 'mantle 0.17.1-2.2',
  });
  expect(read.get('DSA-9001-1|bullseye|snuffer')?.row).toMatchObject({
    title: '- several vulnerabilities',
    pkgAndVersion: 'snuffer 1.0-1',
  });
});

test('what brings no fixed version is kept out, and it is said why', async () => {
  const rejected = (await readings('DSA')).flatMap((reading) =>
    reading.kind === 'rejection' ? [`${reading.rejected}: ${reading.reason}`] : [],
  );
  expect(rejected.toSorted()).toEqual([
    'DSA-153 woody mantle-doc: it has no fixed version: end-of-life',
    'DSA-9001-1 buster snuffer: it has no fixed version: unfixed (bug #1234; medium)',
    'DSA-9001-1: line 21 cannot be understood: RESERVED',
    'DSA-9002-1: it fixes no package: it is an announcement',
    'DSA-9003-1 bullseye wick: it has no fixed version: not-affected (Vulnerable code not present)',
    'line 26: line 26 cannot be understood: [August 26th, 2005] DTSA-1-1 wick - various',
  ]);
});

test('what stands on or below a line that cannot be understood is listed still, so that its rows are kept', async () => {
  const text = `[03 Jun 2031 DSA-9003-1 lanternd - security update
\t{CVE-2031-20001}
\t[trixie] - lanternd 2:4.1-7~deb13u1
\t[bookworm] - wick 0.9-1+deb12u1
[14 Aug 2002] DSA-153 mantle
\t[woody] - mantle
`;
  const read = await readings('DSA', withList(text));
  expect(
    read.flatMap((reading) =>
      reading.kind === 'rejection' ? [[reading.rejected, reading.keys]] : [],
    ),
  ).toEqual([
    ['DSA-9003-1', ['DSA-9003-1|trixie|lanternd', 'DSA-9003-1|bookworm|wick']],
    ['DSA-153', ['DSA-153|woody|mantle']],
    ['DSA-153', undefined],
  ]);
});

test('a day that is none is spoken of', async () => {
  expect(await readings('DSA')).toContainEqual({
    kind: 'remark',
    remark: 'DSA-9004-1: "31 Feb 2031" is not a date that can be read',
  });
  expect((await entries('DSA')).get('DSA-9004-1|trixie|candle')?.row.releaseDate).toBeNull();
});

test('the advisories of long-term support are read alike', async () => {
  const read = await entries('DLA');
  expect([...read.keys()]).toEqual(['DLA-9001-1|bullseye|lanternd', 'DLA-9000-1|bullseye|wick']);
  expect(read.get('DLA-9001-1|bullseye|lanternd')?.row).toMatchObject({
    priority: 'low',
    osVersion: 'Debian 11',
  });
});

test('without the names of the releases the known ones serve', async () => {
  const publication: Publication = {
    ...fixtures,
    async open(url) {
      if (url.endsWith('.csv')) throw new NotPublished(url);
      return fixtures.open(url);
    },
  };
  expect((await entries('DLA', publication)).get('DLA-9000-1|bullseye|wick')?.row.osVersion).toBe(
    'Debian 11',
  );
});

test('something else than a list, or than the tracker, throws', async () => {
  await expect(readings('DSA', withList('<html>\n<p>Sign in</p>\n</html>\n'))).rejects.toThrow(
    'there is no advisory in it',
  );
  await expect(readings('DSA', withList(''))).rejects.toThrow('there is no advisory in it');
  const broken: Publication = {
    ...fixtures,
    open: async (url) => (url === tracker ? documentFrom(url, '{"wick":') : fixtures.open(url)),
  };
  await expect(readings('DSA', broken)).rejects.toThrow('ends too early');
});
