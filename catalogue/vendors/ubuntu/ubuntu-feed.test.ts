import { expect, test } from 'vitest';
import { createReader, formatEntry } from '../../testing/feed-reader.ts';
import { ubuntuFeed } from './ubuntu-feed.ts';
import { parseNoticeId } from './ubuntu-notice-database.ts';
import { readNotice } from './ubuntu-notice-record.ts';

const { entries, readings, said } = createReader(ubuntuFeed);
const page = 'https://ubuntu.com/security/notices.json?limit=20&offset=0&order=newest';
const showEntry = async (key: string) => formatEntry((await entries('notices')).get(key));

test('reads every field of a notice, completed by the database', async () => {
  const published = Date.UTC(2031, 5, 4, 9, 8, 7, 0);
  expect(await showEntry('USN-9001-2')).toEqual({
    noticeId: 'USN-9001-2',
    title: 'Lantern regression',
    affectedOs: ['Ubuntu 25.10', 'Ubuntu 22.04 LTS', 'Ubuntu 20.04 LTS', 'Ubuntu 6.06 LTS'],
    published,
    releaseDate: published,
    type: 'USN',
    // The page of this hour; the archive of the day still has low.
    priority: 'medium',
    summary: 'USN-9001-1 introduced a regression in Lantern.',
    description:
      'USN-9001-1 fixed a vulnerability in Lantern.\n\nThe update made it flicker & smoke. We apologize for the inconvenience.',
    instructions: 'In general, a standard system update will make all the necessary changes.',
    referenceLink: 'https://ubuntu.com/security/notices/USN-9001-2',
    cve: ['CVE-2031-20001'],
    cvePriorities: ['CVE-2031-20001 medium'],
    relatedNotices: ['USN-9001-1', 'USN-9001-3'],
    references: ['https://launchpad.net/bugs/9054090', 'https://launchpad.net/bugs/9054091'],
    releasePackages: [
      'lantern 5.0-1ubuntu2 Ubuntu 25.10 - true -',
      'lantern 5.0-1ubuntu2 Ubuntu 25.10 updates false true',
      'lantern 4.1-5ubuntu0.1 Ubuntu 22.04 LTS security false true',
      'lantern 4.1-5ubuntu0.1 Ubuntu 22.04 LTS - true -',
      'lantern-doc 4.1-5ubuntu0.1 Ubuntu 22.04 LTS security false false',
      'liblantern4 4.1-5ubuntu0.1 Ubuntu 22.04 LTS security false false',
      'lantern 4.1-2ubuntu0.2+esm1 Ubuntu 20.04 LTS - true -',
      'lantern 4.1-2ubuntu0.2+esm1 Ubuntu 20.04 LTS esm-apps false true',
      'liblantern4 4.1-2ubuntu0.2+esm1 Ubuntu 20.04 LTS esm-apps false false',
      'lantern 0.3-1 Ubuntu 6.06 LTS - false true',
    ],
  });
});

test('reads a live patch notice, and completes the prefix of an id and the version of a release', async () => {
  const live = await showEntry('LSN-0900-1');
  expect(live).toMatchObject({
    type: 'LSN',
    priority: 'high',
    affectedOs: ['Ubuntu 22.04 LTS'],
    published: Date.UTC(2031, 5, 3, 12, 42, 54),
    cve: ['CVE-2031-20002'],
    referenceLink: 'https://ubuntu.com/security/notices/LSN-0900-1',
    releasePackages: [expect.stringMatching(/^generic-5\.15 900\.1 .* livepatch /)],
  });
  expect(live).not.toHaveProperty('summary');
  expect(await showEntry('USN-612-10')).toMatchObject({
    noticeId: 'USN-612-10',
    title: 'Candle vulnerability',
    affectedOs: ['Ubuntu 8.04 LTS'],
    type: 'USN',
    releasePackages: [
      'candle 1.2-3ubuntu1 Ubuntu 8.04 LTS - true -',
      'candle 1.2-3ubuntu1 Ubuntu 8.04 LTS - false true',
    ],
  });
  const row = (await entries('notices')).get('USN-612-10')?.row;
  expect(row).toMatchObject({ published: null, releaseDate: null, priority: null });
});

test('rejects hidden and invalid notices with the reason', async () => {
  expect(await said('notices')).toEqual([
    'USN-612-10: published "the day before" is not a date that can be read',
    // Without a key its row is withdrawn.
    'USN-9000-1: it is hidden by the vendor []',
    'USN-8999-1: release_packages.jammy.0.name is missing',
    'Notice 7: id: it is not of the form USN-1234-1',
    expect.stringMatching(/^USN-9005-1: its record in the database cannot be read.* \[\]$/),
  ]);
  const rejections = (await readings('notices')).filter(({ kind }) => kind === 'rejection');
  const database = 'https://usn.ubuntu.com/usn-db/database.json.bz2';
  expect(rejections.map((reading) => 'url' in reading && reading.url)).toEqual([
    page,
    page,
    page,
    database,
  ]);
});

test('rejects a damaged notice under its full id, so that its row stays', () => {
  const damaged = { id: '612-10', type: 'USN', release_packages: 7 };
  expect([...readNotice(damaged, 'Notice 1', page)]).toMatchObject([
    { kind: 'rejection', rejected: 'USN-612-10' },
  ]);
});

test('reports an unknown type, release and pocket', () => {
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

test('shows an unknown priority without a known one, and reports it otherwise', () => {
  const priorities = new Map([
    ['CVE-2031-0002', 'low'],
    ['CVE-2031-0003', 'dire'],
  ]);
  const createNotice = (...cves: string[]) =>
    [
      ...readNotice({ id: 'USN-1-1', cves_ids: cves }, 'notice 1', page, {
        known: () => ({}),
        priorities,
      }),
    ][0];
  expect(createNotice('CVE-2031-0002', 'CVE-2031-0003', 'CVE-2031-0004')).toMatchObject({
    row: { priority: 'low' },
    detail: {
      cvePriorities: [
        { cve: 'CVE-2031-0002', priority: 'low' },
        { cve: 'CVE-2031-0003', priority: 'dire' },
      ],
    },
    unknownWords: [{ vocabulary: 'CVE priority', word: 'dire', shownAs: 'low' }],
  });
  const [dire, withoutPriority] = [createNotice('CVE-2031-0003'), createNotice('CVE-2031-0004')];
  expect(dire).toMatchObject({ row: { priority: 'dire' } });
  expect(dire).not.toHaveProperty('unknownWords');
  expect(withoutPriority).toMatchObject({ row: { priority: null }, detail: { cvePriorities: [] } });
});

test.each<[unknown, string | undefined, string | null]>([
  ['USN-6663-1', undefined, 'USN-6663-1'],
  [' ssn-1-2 ', undefined, 'SSN-1-2'],
  ['0074-1', 'LSN', 'LSN-0074-1'],
  ['612-10', 'odd', 'USN-612-10'],
  ['USN-6663', undefined, null],
  ['CVE-2024-3094', undefined, null],
  ['XSN-1-1', undefined, null],
  ['', undefined, null],
  [null, undefined, null],
  [7, undefined, null],
  [{}, undefined, null],
])('reads the id %j of the type %s as %s', (written, type, id) => {
  expect(parseNoticeId(written, type)).toBe(id);
});

test.each([null, 3, [], {}, { id: 7 }])('rejects the record %j by its position', (record) => {
  const rejected = Object.hasOwn(Object(record), 'id') ? '7' : 'notice 1';
  const reason = expect.stringMatching(/expected|is missing|is empty/);
  expect([...readNotice(record, 'notice 1', page)]).toEqual([
    { kind: 'rejection', rejected, reason, url: page },
  ]);
});

test("reads a release named like an object's member as a release without packages", () => {
  const releases = [{ codename: '__proto__' }, { codename: 'toString' }];
  expect([...readNotice({ id: 'USN-1-1', releases }, 'notice 1', page)]).toMatchObject([
    { detail: { releasePackages: [] } },
  ]);
});

test('reads all CVEs of a text, and reports those that are none', () => {
  const cves = ['CVE-2031-1001,cve-2031-1002', 'CVE-2031-1', 'https://launchpad.net/bugs/1'];
  expect([...readNotice({ id: 'USN-1-1', cves }, 'notice 1', page)]).toMatchObject([
    {
      detail: {
        cve: ['CVE-2031-1001', 'CVE-2031-1002'],
        references: ['CVE-2031-1', 'https://launchpad.net/bugs/1'],
      },
      unknownWords: [{ vocabulary: 'CVE', word: 'CVE-2031-1', shownAs: 'no CVE' }],
    },
  ]);
});
