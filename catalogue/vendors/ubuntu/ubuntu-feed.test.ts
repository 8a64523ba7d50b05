import { expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { ubuntuFeed } from './ubuntu-feed.ts';
import { noticeIdOf } from './ubuntu-notice-id.ts';
import { readNotice } from './ubuntu-notice-record.ts';

const page = 'https://ubuntu.com/security/notices.json?limit=20&offset=0&order=newest';

async function readings(): Promise<FeedItem[]> {
  const publication = publicationFrom(new URL('./fixtures/', import.meta.url));
  const notices = partOf(ubuntuFeed, 'notices');
  return readingsOf(notices, await notices.contents(publication));
}

async function entryOf(key: string): Promise<Entry | undefined> {
  return (await readings()).find(
    (reading): reading is Entry => reading.kind === 'entry' && reading.key === key,
  );
}

type Known = readonly [
  name: string,
  pocket: string | null,
  is_source: boolean,
  is_visible: boolean | null,
];

const packagesOf = (osVersion: string, version: string, ...packages: readonly Known[]) =>
  packages.map(([name, pocket, is_source, is_visible]) => ({
    name,
    version,
    osVersion,
    pocket,
    is_source,
    is_visible,
  }));

test('a notice in full, completed by the database', async () => {
  const notice = await entryOf('USN-9001-2');
  const published = Date.UTC(2031, 5, 4, 9, 8, 7, 0);
  expect(notice?.row).toEqual({
    noticeId: 'USN-9001-2',
    title: 'Lantern regression',
    affectedOs: ['Ubuntu 25.10', 'Ubuntu 22.04 LTS', 'Ubuntu 20.04 LTS', 'Ubuntu 6.06 LTS'],
    published,
    releaseDate: published,
    type: 'USN',
    // Of this hour; the archive of the day still says low.
    priority: 'medium',
  });
  expect(notice?.detail).toEqual({
    summary: 'USN-9001-1 introduced a regression in Lantern.',
    description:
      'USN-9001-1 fixed a vulnerability in Lantern.\n\nThe update made it flicker & smoke. We apologize for the inconvenience.',
    instructions: 'In general, a standard system update will make all the necessary changes.',
    referenceLink: 'https://ubuntu.com/security/notices/USN-9001-2',
    cve: ['CVE-2031-20001'],
    cvePriorities: [{ cve: 'CVE-2031-20001', priority: 'medium' }],
    relatedNotices: ['USN-9001-1', 'USN-9001-3'],
    references: ['https://launchpad.net/bugs/9054090', 'https://launchpad.net/bugs/9054091'],
    releasePackages: [
      ...packagesOf(
        'Ubuntu 25.10',
        '5.0-1ubuntu2',
        ['lantern', null, true, null],
        ['lantern', 'updates', false, true],
      ),
      ...packagesOf(
        'Ubuntu 22.04 LTS',
        '4.1-5ubuntu0.1',
        ['lantern', 'security', false, true],
        ['lantern', null, true, null],
        ['lantern-doc', 'security', false, false],
        ['liblantern4', 'security', false, false],
      ),
      ...packagesOf(
        'Ubuntu 20.04 LTS',
        '4.1-2ubuntu0.2+esm1',
        ['lantern', null, true, null],
        ['lantern', 'esm-apps', false, true],
        ['liblantern4', 'esm-apps', false, false],
      ),
      ...packagesOf('Ubuntu 6.06 LTS', '0.3-1', ['lantern', null, false, true]),
    ],
  });
});

test('a live patch notice', async () => {
  const notice = await entryOf('LSN-0900-1');
  expect(notice?.row).toMatchObject({
    type: 'LSN',
    priority: 'high',
    affectedOs: ['Ubuntu 22.04 LTS'],
    published: Date.UTC(2031, 5, 3, 12, 42, 54),
  });
  expect(notice?.detail).toMatchObject({
    summary: null,
    cve: ['CVE-2031-20002'],
    referenceLink: 'https://ubuntu.com/security/notices/LSN-0900-1',
    releasePackages: [{ name: 'generic-5.15', version: '900.1', pocket: 'livepatch' }],
  });
});

test('an id gets its prefix, a release its version, a bad date a remark', async () => {
  const read = await readings();
  expect((await entryOf('USN-612-10'))?.row).toEqual({
    noticeId: 'USN-612-10',
    title: 'Candle vulnerability',
    affectedOs: ['Ubuntu 8.04 LTS'],
    published: null,
    releaseDate: null,
    type: 'USN',
    priority: null,
  });
  const candle = (await entryOf('USN-612-10'))?.detail.releasePackages;
  expect(candle).toEqual(
    packagesOf(
      'Ubuntu 8.04 LTS',
      '1.2-3ubuntu1',
      ['candle', null, true, null],
      ['candle', null, false, true],
    ),
  );
  expect(read).toContainEqual({
    kind: 'remark',
    remark: 'USN-612-10: published "the day before" is not a date that can be read',
  });
});

test('what is hidden or does not fit is kept out, and it is said why', async () => {
  const url = page;
  expect((await readings()).filter((reading) => reading.kind === 'rejection')).toEqual([
    // Its row is withdrawn: no key is said to be listed still.
    {
      kind: 'rejection',
      rejected: 'USN-9000-1',
      keys: [],
      reason: 'it is hidden by the vendor',
      url,
    },
    {
      kind: 'rejection',
      rejected: 'USN-8999-1',
      reason: 'release_packages.jammy.0.name is missing',
      url,
    },
    {
      kind: 'rejection',
      rejected: 'Notice 7',
      reason: 'id: it is not of the form USN-1234-1',
      url,
    },
    {
      kind: 'rejection',
      rejected: 'USN-9005-1',
      keys: [],
      reason: expect.stringContaining('its record in the database cannot be read'),
      url: 'https://usn.ubuntu.com/usn-db/database.json.bz2',
    },
  ]);
});

test('a damaged notice is called by its whole id, so that the row it has is kept', () => {
  const damaged = { id: '612-10', type: 'USN', release_packages: 7 };
  expect([...readNotice(damaged, 'Notice 1', page)]).toMatchObject([
    { kind: 'rejection', rejected: 'USN-612-10' },
  ]);
});

test('a type, a release and a pocket that nobody knows are reported', () => {
  const jammy = [
    { name: 'wick', pocket: 'security' },
    { name: 'candle', pocket: 'attic' },
  ];
  const odd = {
    id: 'USN-1-1',
    type: 'XSN',
    releases: [{ codename: 'foo' }, { codename: 'jammy' }],
    release_packages: { jammy },
  };
  expect([...readNotice(odd, 'notice 1', page)]).toMatchObject([
    {
      row: { type: 'USN', affectedOs: ['Ubuntu foo', 'Ubuntu 22.04 LTS'] },
      unknownWords: [
        { vocabulary: 'type', word: 'XSN', shownAs: 'USN' },
        { vocabulary: 'release', word: 'foo', shownAs: 'Ubuntu foo' },
        { vocabulary: 'pocket', word: 'attic', shownAs: null },
      ],
    },
  ]);
  const usual = {
    id: 'LSN-1-1',
    type: 'LSN',
    releases: [{ codename: 'brand-new', version: '30.04' }],
  };
  expect([...readNotice(usual, 'notice 1', page)][0]).not.toHaveProperty('unknownWords');
});

test('a priority that nobody knows is shown where there is no other, and reported where there is', () => {
  const priorities = new Map([
    ['CVE-2031-0002', 'low'],
    ['CVE-2031-0003', 'dire'],
  ]);
  const noticeOf = (...cves: string[]) =>
    [
      ...readNotice({ id: 'USN-1-1', cves_ids: cves }, 'notice 1', page, {
        known: () => ({}),
        priorities,
      }),
    ][0];
  expect(noticeOf('CVE-2031-0002', 'CVE-2031-0003', 'CVE-2031-0004')).toMatchObject({
    row: { priority: 'low' },
    detail: {
      cvePriorities: [
        { cve: 'CVE-2031-0002', priority: 'low' },
        { cve: 'CVE-2031-0003', priority: 'dire' },
      ],
    },
    unknownWords: [{ vocabulary: 'CVE priority', word: 'dire', shownAs: 'low' }],
  });
  const [dire, none] = [noticeOf('CVE-2031-0003'), noticeOf('CVE-2031-0004')];
  expect(dire).toMatchObject({ row: { priority: 'dire' } });
  expect(dire).not.toHaveProperty('unknownWords');
  expect(none).toMatchObject({ row: { priority: null }, detail: { cvePriorities: [] } });
});

test('ids in the ways they are written', () => {
  expect(noticeIdOf('USN-6663-1')).toBe('USN-6663-1');
  expect(noticeIdOf(' ssn-1-2 ')).toBe('SSN-1-2');
  expect(noticeIdOf('0074-1', 'LSN')).toBe('LSN-0074-1');
  expect(noticeIdOf('612-10', 'odd')).toBe('USN-612-10');
  for (const none of ['USN-6663', 'CVE-2024-3094', 'XSN-1-1', '', null, 7, {}])
    expect(noticeIdOf(none)).toBeNull();
});

test('a record that is none is kept out by its place', () => {
  for (const record of [null, 3, [], {}, { id: 7 }]) {
    const rejected = Object.hasOwn(Object(record), 'id') ? '7' : 'notice 1';
    expect([...readNotice(record, 'notice 1', page)]).toEqual([
      {
        kind: 'rejection',
        rejected,
        reason: expect.stringMatching(/expected|is missing|is empty/),
        url: page,
      },
    ]);
  }
});

test('a release by the name of what every object has is a release without packages', () => {
  const [entry] = [
    ...readNotice(
      { id: 'USN-1-1', releases: [{ codename: '__proto__' }, { codename: 'toString' }] },
      'notice 1',
      page,
    ),
  ];
  expect(entry).toMatchObject({ detail: { releasePackages: [] } });
});
