/** Denials, times, joined values and names in another order, as people type them. */
import { describe, expect, test } from 'vitest';
import { createReader } from './testing/typed-reader.ts';

const release = [
  'Debian 11',
  'Debian 12',
  'Rocky Linux 8',
  'Rocky Linux 9',
  'Windows 10 Version 22H2 for x64-based Systems',
  'Windows 11 Version 23H2 for x64-based Systems',
  'Windows 11 Version 24H2 for x64-based Systems',
  'Windows Server 2012 R2',
  'Windows Server 2022',
  'Windows Server 2022 (Server Core installation)',
  'Microsoft Exchange Server 2016 Cumulative Update 23',
  'Microsoft Exchange Server 2019 Cumulative Update 14',
];
const vendor = ['Debian', 'Ubuntu', 'Microsoft', 'Apache Software Foundation'];
/** A Tuesday. */
const now = Date.UTC(2026, 6, 14, 9);
const { read } = createReader(
  'all_patches',
  { release, vendor },
  {
    words:
      'openssl kernel apache postgresql windows exchange usn-1234-1 dsa-5343-1 not before 12 30',
    now,
  },
);

const superseded = 'superseded not_equal true';
const exploited = 'exploited not_equal true';
const exchange = 'exchange: release contains Exchange';

describe('denials', () => {
  test.each([
    ['not superseded openssl', ['not superseded', superseded]],
    ['non exploited openssl', ['non exploited', exploited]],
    ['superseded false openssl', ['superseded false', superseded]],
    ['except superseded openssl', ['except superseded', superseded]],
    ['excluding the superseded updates openssl', ['excluding the superseded', superseded]],
    ['unexploited openssl', ['unexploited', exploited]],
    ['un-exploited openssl', ['un-exploited', exploited]],
    ['-superseded openssl', ['-superseded', superseded]],
    ['not yet known exploited openssl', ['not yet known exploited', exploited]],
    ['nicht ausgenutzte openssl', ['nicht ausgenutzte', exploited]],
    ['exploited olmayan openssl', ['exploited olmayan', exploited]],
    ['not critical openssl', ['not critical', 'ratedSeverity not_in Critical']],
    ['non-critical openssl', ['non-critical', 'ratedSeverity not_in Critical']],
    ['not low or moderate openssl', ['not low or moderate', 'ratedSeverity not_in Low,Moderate']],
    [
      'except debian and ubuntu openssl',
      ['except debian and ubuntu', 'vendor not_in Debian,Ubuntu'],
    ],
    ['without CVE-2021-4034 openssl', ['without CVE-2021-4034', 'cve not_equal CVE-2021-4034']],
    ['except KB5094126 openssl', ['except KB5094126', 'identifier not_contains KB5094126']],
  ])('excludes what %j denies', (query, [typed = '', criterion = '']) => {
    expect(read(query)).toEqual([`${typed}: ${criterion}`, 'openssl']);
  });

  test('denies a flag that the search compares already', () => {
    expect(read('openssl not superseded', ['superseded'])).toEqual([
      'openssl',
      `not superseded: ${superseded}`,
    ]);
  });

  test('excludes a version from those of a product', () => {
    expect(read('windows 11 not 24h2')).toEqual([
      'windows 11 not 24h2: release in Windows 11 Version 23H2 for x64-based Systems',
    ]);
    expect(read('openssl except windows 11')[1]).toBe(
      'except windows 11: release not_contains Windows 11',
    );
  });

  test('leaves out with its denial what no criterion excludes', () => {
    expect(read('debian 12 without openssl')).toEqual([
      'debian 12: release equal Debian 12',
      '-without openssl',
    ]);
    expect(read('openssl not 2024')).toEqual(['openssl', '-not 2024']);
    expect(read('openssl not in 2024')).toEqual(['openssl', '-not in 2024']);
    expect(read('windows server 2022 not windows')).toEqual([
      'windows server 2022: release start_with Windows Server 2022',
      '-not windows',
    ]);
  });

  test('denies two flags, and only the first of two that are not joined', () => {
    expect(read('not superseded or exploited openssl')).toEqual([
      `not superseded: ${superseded}`,
      `exploited: ${exploited}`,
      'openssl',
    ]);
    expect(read('not exploited critical openssl')).toEqual([
      `not exploited: ${exploited}`,
      'critical: ratedSeverity in Critical',
      'openssl',
    ]);
  });
});

describe('times', () => {
  test.each([
    ['before may 2026', 'less_than 2026-05-01'],
    ['released before may 2026', 'less_than 2026-05-01', 'before may 2026'],
    ['before 2024', 'less_than 2024-01-01'],
    ['until may 2026', 'less_than 2026-06-01'],
    ['since january 2026', 'greater_than_or_equal 2026-01-01'],
    ['after june 2026', 'greater_than_or_equal 2026-07-01'],
    ['newer than may 2026', 'greater_than_or_equal 2026-06-01'],
    ['older than 2026-05-12', 'less_than 2026-05-12'],
    ['not before may 2026', 'greater_than_or_equal 2026-05-01'],
    ['since May', 'greater_than_or_equal 2026-05-01'],
    ['since august', 'greater_than_or_equal 2025-08-01'],
    ['this year', 'between 2026-01-01 2026-12-31!'],
    ['last year', 'between 2025-01-01 2025-12-31!'],
    ['yesterday', 'between 2026-07-13 2026-07-13!'],
    ['since yesterday', 'greater_than_or_equal 2026-07-13'],
    ['last 2 weeks', 'equal last_14_days'],
    // From 14 January 2026.
    ['last 6 months', 'equal last_181_days'],
    ['letzten 30 tage', 'equal last_30_days'],
    ['bu ay', 'equal this_month'],
    ['older than 30 days', 'less_than last_30_days'],
    ['newer than 30 days', 'equal last_30_days'],
    ['not older than 30 days', 'equal last_30_days'],
    ['before last week', 'less_than last_week'],
    ['2026-05-12', 'between 2026-05-12 2026-05-12!'],
    ['12 may 2026', 'between 2026-05-12 2026-05-12!'],
    ['12. Mai 2026', 'between 2026-05-12 2026-05-12!'],
    ['12.05.2026', 'between 2026-05-12 2026-05-12!'],
    ['May 12, 2026', 'between 2026-05-12 2026-05-12!'],
    ['between 2022 and 2023', 'between 2022-01-01 2023-12-31!'],
    ['from january 2026 to march 2026', 'between 2026-01-01 2026-03-31!'],
    ['may 2026 to june 2026', 'between 2026-05-01 2026-06-30!'],
    ['after 2023 before may 2026', 'between 2024-01-01 2026-04-30!'],
    ['2022 or 2023', 'between 2022-01-01 2023-12-31!'],
    ['2022 to 2024', 'between 2022-01-01 2024-12-31!'],
    ['may 2026 or later', 'greater_than_or_equal 2026-05-01'],
    ['2024 or later', 'greater_than_or_equal 2024-01-01'],
    ['mayıs 2026 öncesi', 'less_than 2026-05-01'],
  ])('reads %j', (typed, expected, text = typed) => {
    expect(read(`${typed} exchange`)).toEqual([`${text}: releaseDate ${expected}`, exchange]);
  });

  test.each(['before may 2026', 'since 2024', 'last 2 weeks', '2026-05-12', 'may 12, 2026'])(
    'reads %j alike behind a name',
    (typed) => {
      const [time] = read(`${typed} exchange`);
      expect(read(`exchange ${typed}`)).toEqual([exchange, time]);
    },
  );

  test.each([
    ['debian 12 may 2026', 'debian 12: release equal Debian 12', 'may 2026'],
    ['exchange cu12 may 2026', exchange, 'may 2026'],
  ])('takes the version of %j for no day', (query, name, time) => {
    const parts = read(query);
    expect(parts).toContain(name);
    expect(parts).toContain(`${time}: releaseDate between 2026-05-01 2026-05-31!`);
  });

  test('leaves out a time with its preposition where no date can be compared', () => {
    expect(read('openssl before may 2026', ['releaseDate'])).toEqual([
      'openssl',
      '-before may 2026',
    ]);
    expect(read('openssl since 2024 since last week')).toEqual([
      'openssl',
      'since 2024: releaseDate greater_than_or_equal 2024-01-01',
      '-since last week',
    ]);
  });
});

describe('vulnerabilities', () => {
  const { criteria } = createReader(
    'vulnerabilities',
    { vendors: ['Microsoft', 'Debian'] },
    { words: 'openssl', now },
  );
  const listed = { paramName: 'exploitedSince', operator: 'is_not_null' };
  const critical = { paramName: 'severity', operator: 'in', value: ['Critical'] };
  const since = { operator: 'greater_than_or_equal', value: Date.UTC(2026, 0, 1) };
  const year = {
    operator: 'between',
    value: Date.UTC(2026, 0, 1),
    toValue: Date.UTC(2027, 0, 1) - 1,
  };
  test.each([
    [
      'exploited microsoft',
      [listed, { paramName: 'vendors', operator: 'equal', value: 'Microsoft' }],
    ],
    ['exploited critical', [listed, critical]],
    ['kev critical', [listed, critical]],
    ['not exploited critical', [{ paramName: 'exploitedSince', operator: 'is_null' }, critical]],
    ['critical 2026', [critical, { paramName: 'published', ...year }]],
    ['openssl since 2026', [{ paramName: 'published', ...since }]],
    ['exploited since 2026', [{ paramName: 'exploitedSince', ...since }]],
    ['since 2026 exploited', [{ paramName: 'exploitedSince', ...since }]],
  ])('reads %j', (query, expected) => {
    expect(criteria(query)).toEqual(expected);
  });
});

describe('joined values', () => {
  const severities = 'ratedSeverity in Critical,Important';
  test.each([
    ['critical or important openssl', ['critical or important', severities]],
    ['critical, important openssl', ['critical, important', severities]],
    ['critical / important openssl', ['critical / important', severities]],
    ['critical important openssl', ['critical important', severities]],
    [
      'rocky 8 and rocky 9 openssl',
      ['rocky 8 and rocky 9', 'release in Rocky Linux 8,Rocky Linux 9'],
    ],
    ['rocky 8 rocky 9 openssl', ['rocky 8 rocky 9', 'release in Rocky Linux 8,Rocky Linux 9']],
    ['rocky 8 and 9 openssl', ['rocky 8 and 9', 'release in Rocky Linux 8,Rocky Linux 9']],
    ['debian or ubuntu openssl', ['debian or ubuntu', 'vendor in Debian,Ubuntu']],
    ['debian und ubuntu openssl', ['debian und ubuntu', 'vendor in Debian,Ubuntu']],
    [
      'CVE-2021-4034 or CVE-2021-44228 openssl',
      ['CVE-2021-4034 or CVE-2021-44228', 'cve in CVE-2021-4034,CVE-2021-44228'],
    ],
  ])('reads the values of %j as one criterion', (query, [typed = '', criterion = '']) => {
    expect(read(query)).toEqual([`${typed}: ${criterion}`, 'openssl']);
  });

  test('splits what no record writes with a slash', () => {
    expect(read('critical/important openssl')[0]).toMatch(`: ${severities}`);
    expect(read('windows server 2012, 2022 and 2012 critical')[0]).toMatch('2012, 2022 and 2012: ');
    expect(read('debian 11/12 openssl')[0]).toMatch(': release in Debian 11,Debian 12');
  });

  test('requires no word that joins, and joins no names of other kinds', () => {
    expect(read('openssl or kernel')).toEqual(['openssl', 'kernel']);
    expect(read('apache debian')).toEqual([
      'apache: vendor equal Apache Software Foundation',
      'debian: release start_with Debian',
    ]);
  });

  test('takes the second of two versions for no year', () => {
    expect(read('exchange 2016 or 2017 openssl').join()).not.toContain('releaseDate');
    expect(read('exchange 2016 to 2017 openssl').join()).not.toContain('releaseDate');
  });
});

describe('names in another order', () => {
  test.each([
    ['2022 server windows critical'],
    ['critical 2022 windows server'],
    ['2022 windows critical'],
  ])('reads %j', (query) => {
    const found = read(query).find((part) => part.includes('release'));
    expect(found).toMatch(
      /release in Windows Server 2022,Windows Server 2022 \(Server Core installation\)$/,
    );
  });

  test('reads a year as the version of the product beside it', () => {
    expect(read('2019 exchange server')).toEqual([
      '2019 exchange server: release equal Microsoft Exchange Server 2019 Cumulative Update 14',
    ]);
    expect(read('2022 windows 11')[0]).toBe('2022: releaseDate between 2022-01-01 2022-12-31!');
  });

  test('takes the version of another word for none of a release', () => {
    expect(read('postgresql 11 debian').join()).not.toContain('Debian 11');
  });

  test.each(['windows server 2012r2', 'server 2012R2', '2012r2'])(
    'reads the edition of %j',
    (query) => {
      expect(read(query)).toEqual([`${query}: release equal Windows Server 2012 R2`]);
    },
  );
});

describe('identifiers that no record has', () => {
  test.each([
    ['usn6663', 'usn-6663'],
    ['usn 9999', 'usn-9999'],
    ['USN 9999-2', 'usn-9999-2'],
    ['alsa 2024 99999', 'alsa-2024:99999'],
    ['dsa 5343', 'dsa-5343'],
  ])('keeps %j', (query, keyword) => {
    expect(read(query)).toEqual([keyword]);
    expect(read(`${query} openssl frobnicate`)).toEqual([keyword, 'openssl', '-frobnicate']);
  });

  test('states the text of each part that is left out', () => {
    expect(read('openssl kernel99')).toEqual(['openssl', 'kernel', '-99']);
  });
});
