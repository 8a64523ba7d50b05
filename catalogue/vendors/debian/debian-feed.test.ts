import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import { createReader, formatEntry } from '../../testing/feed-reader.ts';
import { debianFeed } from './debian-feed.ts';

const { documents, entries, fixtures, instead, readings, said } = createReader(debianFeed);
const address = (list: string) =>
  `https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/${list}/list`;
const tracker = 'https://security-tracker.debian.org/tracker/data/json';
const suite = 'http://security.debian.org/debian-security/dists/bookworm-security';
/** Replaces the DSA list of the fixtures. */
const withList = (text: string) => instead((url) => (url === address('DSA') ? text : undefined));

test('opens the list, the tracker, the release names and the security suites of the released releases', async () => {
  expect(await documents('DLA')).toEqual([
    address('DLA'),
    tracker,
    'https://debian.pages.debian.net/distro-info-data/debian.csv',
    `${suite}/InRelease`,
    `${suite}/main/binary-amd64/by-hash/SHA256/sum`,
    `${suite}/non-free-firmware/binary-amd64/by-hash/SHA256/sum`,
    true,
  ]);
});

test('reads the last copy of the tracker while it is not published', async () => {
  const absent = (url: string) => (url === tracker ? null : undefined);
  const last = [await fixtures.open(tracker)];
  const publication = instead(absent, { readLast: async () => last });
  expect(await entries('DSA', publication)).toEqual(await entries('DSA'));
  await expect(entries('DSA', instead(absent))).rejects.toThrow(NotPublished);
});

test('lists unfixed vulnerabilities of the tracker in the part of the security team only', async () => {
  const unfixed = async (part: string) =>
    (await readings(part)).flatMap((reading) =>
      reading.kind === 'status' ? `${reading.release} ${reading.cve}` : [],
    );
  expect(await unfixed('DSA')).toEqual(['Debian 13 CVE-2031-29999']);
  expect(await unfixed('DLA')).toEqual([]);
});

test('yields a row for each release and source package of an advisory', async () => {
  const read = await entries('DSA');
  const rows = [...read].filter(([key]) => key.startsWith('DSA-9003-1|'));
  expect(
    rows.map(([key, { row }]) =>
      [key, row['pkgName'], row['osVersion'], row['priority'], row['pkgAndVersion']].join(', '),
    ),
  ).toEqual([
    'DSA-9003-1|trixie|lanternd, lanternd, Debian 13, unimportant, lanternd 2:4.1-7~deb13u1',
    'DSA-9003-1|bookworm|lanternd, lanternd, Debian 12, high, lanternd 4.1-2+deb12u1',
    'DSA-9003-1|bookworm|wick, wick, Debian 12, unassigned, wick 0.9-1+deb12u1',
    'DSA-9003-1|sid|wick, wick, Debian sid, end-of-life, wick 0.9-2',
    'DSA-9003-1|halogen|wick, wick, Debian 17, unassigned, wick 0.9-3',
  ]);
  expect(formatEntry(read.get('DSA-9003-1|trixie|lanternd'))).toEqual({
    title: 'lanternd - security update',
    bulletinId: 'DSA-9003-1',
    releaseDate: Date.UTC(2031, 5, 3),
    pkgName: 'lanternd',
    osVersion: 'Debian 13',
    priority: 'unimportant',
    pkgAndVersion: 'lanternd 2:4.1-7~deb13u1',
    vendorPriority: 'unimportant',
    referenceLink: 'https://security-tracker.debian.org/tracker/DSA-9003-1',
    cve: ['CVE-2031-20001', 'CVE-2031-20002'],
  });
});

test('reports an unknown code name', async () => {
  const text =
    '[03 Jun 2031] DSA-9005-1 wick - security update\n\t[foo] - wick 1.0-1\n\t[sid] - wick 1.0-2\n';
  const [foo, sid] = [...(await entries('DSA', withList(text))).values()];
  expect(foo?.unknownWords).toEqual([
    { vocabulary: 'release', word: 'foo', shownAs: 'Debian foo' },
  ]);
  expect(sid).not.toHaveProperty('unknownWords');
});

test('reports an id in braces that begins like a CVE and is none', async () => {
  const text =
    '[03 Jun 2031] DSA-9005-1 wick\n\t{CVE-2031-20001,CVE-2031-2x CAN-2031-1}\n\t[sid] - wick 1.0-1\n';
  const [fix] = (await entries('DSA', withList(text))).values();
  expect(fix?.detail).toMatchObject({ cve: ['CVE-2031-20001'] });
  expect(fix?.unknownWords).toEqual([
    { vocabulary: 'CVE', word: 'CVE-2031-2x', shownAs: 'no CVE' },
  ]);
});

test.each([
  [
    'a second advisory, with its note',
    'DSA-9003-2|bookworm|lanternd',
    {
      title: 'lanternd - regression update',
      priority: 'unassigned',
      description: 'The first update made it flicker',
      cve: undefined,
    },
  ],
  [
    'an old header',
    'DSA-153|woody|mantle',
    {
      title: 'mantle -- cross site code execution',
      bulletinId: 'DSA-153',
      osVersion: 'Debian 3.0',
      pkgAndVersion: 'mantle 0.17.1-2.2',
    },
  ],
  [
    'spaces instead of a tab, a title without a package',
    'DSA-9001-1|bullseye|snuffer',
    { title: '- several vulnerabilities', pkgAndVersion: 'snuffer 1.0-1' },
  ],
  ['an invalid day', 'DSA-9004-1|trixie|candle', { releaseDate: undefined }],
])('reads %s', async (_what, key, expected) => {
  const read = (await entries('DSA')).get(key);
  expect({ cve: undefined, releaseDate: undefined, ...formatEntry(read) }).toMatchObject(expected);
});

test('rejects lines without a fixed version with the reason, and adds a remark on an invalid day', async () => {
  const lines = (await said('DSA')).filter((line) => !line.startsWith('http'));
  expect(lines.toSorted()).toEqual([
    'DSA-153 woody mantle-doc: it has no fixed version: end-of-life',
    'DSA-9001-1 buster snuffer: it has no fixed version: unfixed (bug #1234; medium)',
    'DSA-9001-1: line 21 cannot be understood: RESERVED []',
    'DSA-9002-1: it fixes no package: it is an announcement',
    'DSA-9003-1 bullseye wick: it has no fixed version: not-affected (Vulnerable code not present)',
    'DSA-9004-1: date "31 Feb 2031" is not a date that can be read',
    'DTSA-1-1: line 26 cannot be understood: [August 26th, 2005] DTSA-1-1 wick - various [DTSA-1-1|etch|wick]',
  ]);
});

test('keeps the rows of records on or below a line that cannot be read', async () => {
  const text = `[03 Jun 2031 DSA-9003-1 lanternd - security update
\t{CVE-2031-20001}
\t[trixie] - lanternd 2:4.1-7~deb13u1
\t[bookworm] - wick 0.9-1+deb12u1
[14 Aug 2002] DSA-153 mantle
\t[woody] - mantle
`;
  expect((await said('DSA', withList(text))).filter((line) => line.startsWith('DSA'))).toEqual([
    expect.stringMatching(
      /^DSA-9003-1: .* \[DSA-9003-1\|trixie\|lanternd DSA-9003-1\|bookworm\|wick\]$/,
    ),
    expect.stringMatching(/^DSA-153: .* \[DSA-153\|woody\|mantle\]$/),
    expect.stringMatching(/^DSA-153: .*[^\]]$/),
  ]);
});

const header = '[03 Jun 2031] DSA-9003-1 lanternd - security update';
test.each([
  ['no space before the dash', true, `${header}\n\t[bookworm]- wick 0.9-1+deb12u1`],
  ['no dash', true, `${header}\n\t[bookworm] wick 0.9-1+deb12u1`],
  ['no space behind the dash', true, `${header}\n\t[bookworm] -wick 0.9-1+deb12u1`],
  ['no indent', true, `${header}\n[bookworm] - wick 0.9-1+deb12u1\n\t[trixie] - wick 1.0`],
  ['no id in the header', true, '[03 Jun 2031] DSA9003 wick\n\t[bookworm] - wick 1.0'],
  ['neither day nor dash', true, 'DSA-9003-1 wick\n\t[bookworm] wick 1.0'],
  ['no day, but a known id and fix', false, 'DSA-9003-1 wick\n\t{CVE-2031-1}\n\t[sid] - wick 1'],
  ['no version, but a known package', false, `${header}\n\t[bookworm] - wick`],
])(
  'withdraws no rows exactly while rows of a line are unknown: %s',
  async (_fault, isKept, text) => {
    for (const key of ['DSA', 'DLA']) {
      const list = `${text}\n`.replaceAll('DSA', key);
      const publication = instead((url) => (url === address(key) ? list : undefined));
      expect((await documents(key, publication)).at(-1)).toBe(!isKept);
    }
  },
);

test('reads long-term support advisories, also without the release names', async () => {
  const without = instead((url) => (url.endsWith('.csv') ? null : undefined));
  for (const publication of [undefined, without]) {
    const read = await entries('DLA', publication);
    expect([...read].map(([key, { row }]) => [key, row.priority, row.osVersion].join(' '))).toEqual(
      [
        'DLA-9001-1|bullseye|lanternd low Debian 11',
        'DLA-9000-1|bullseye|wick unassigned Debian 11',
      ],
    );
  }
});
