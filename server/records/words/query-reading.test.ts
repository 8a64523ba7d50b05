import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { criteriaConditions } from '@patch/contract/filter/criteria-conditions.ts';
import { describe, expect, test } from 'vitest';
import { type KnownValues, NameDictionary } from './name-dictionary.ts';
import { readQuery } from './query-reading.ts';
import type { KnownWords } from './spelling.ts';

const allPatches = getList('all_patches');
const known: KnownValues = new Map([
  ['exploited', ['true', 'false']],
  ['vendor', ['Debian', 'Microsoft', 'Ubuntu', 'AlmaLinux', 'Oracle Linux', 'Google LLC']],
  [
    'release',
    [
      'Debian 11',
      'Debian 12',
      'Ubuntu 22.04 LTS',
      'AlmaLinux 9',
      'Oracle Linux 9',
      'Rocky Linux 9',
      'Windows 11 Version 24H2 for x64-based Systems',
      'Windows 11 Version 23H2 for x64-based Systems',
      'Windows Server 2012 R2',
      'Windows Server 2022',
      'Microsoft SQL Server 2017 for x64-based Systems',
      'Microsoft SQL Server 2019 for x64-based Systems',
      'Microsoft Office 2016',
      '.NET 8.0 installed on Linux',
      '14',
    ],
  ],
]);

/** Words of records, with the number of records that have each. */
const counts = new Map([
  ['openssl', 40],
  ['chromium', 30],
  ['kernel', 80],
  ['colonel', 1],
  ['windows', 900],
  ['alsa-2024:10850', 1],
  ['usn-6663-1', 1],
  ['kb5063878', 1],
  ['cu14', 2],
  ['heartbleeder', 2],
  ['venom', 1],
  ['indi', 3],
  ['openoffice', 3],
  ...'malicious software removal softwareremoval tool readiness 2019 2022'
    .split(' ')
    .map((word): [string, number] => [word, 1]),
  ...'critical edition exchange glibc important java on for server subscription sudo the 14 15 server'
    .split(' ')
    .map((word): [string, number] => [word, 6]),
]);
const titles = ['windows malicious software removal tool x64', 'windows server 2022 readiness'];
const texts: KnownWords = {
  has: (text) => [...counts.keys()].some((word) => word.includes(text)),
  count: (word) => counts.get(word) ?? 0,
  isInTitle: (words) => titles.some((title) => ` ${title} `.includes(` ${words.join(' ')} `)),
};

const knownWords = { names: new NameDictionary(allPatches, known), texts };

/** Writes a reading as `word word | field value | …`. */
function read(query: string, except: readonly string[] = []): string | null {
  const reading = readQuery(allPatches, query, knownWords, new Set(except));
  if (reading.criteria.length === 0) return reading.keyword === query ? null : reading.keyword;
  const criteria = reading.criteria.map(({ paramName, operator, value, toValue }) =>
    [paramName, operator, String(value), ...(toValue === undefined ? [] : [toValue])].join(' '),
  );
  return [reading.keyword, ...criteria].join(' | ');
}

describe('readQuery', () => {
  test.each([
    [
      'openssl critical on Debian 12',
      'openssl | ratedSeverity in Critical | release equal Debian 12',
    ],
    ['SQL Server', ' | release contains SQL Server'],
    ['KB5063878 ssd problem', 'KB5063878'],
    ['usn 6663 1 hata', 'usn-6663-1'],
    ['usn6663-1', 'usn-6663-1'],
    ['ALSA 2024-10850', 'alsa-2024:10850'],
    ['alsa2024_10850', 'alsa-2024:10850'],
    ['KB5063878.', 'KB5063878'],
    ['cve202144228', ' | cve equal CVE-2021-44228'],
    [
      'debian 2021',
      ` | vendor equal Debian | releaseDate between ${Date.UTC(2021, 0, 1)} ${Date.UTC(2022, 0, 1) - 1}`,
    ],
    [
      'exploited 2021',
      ` | exploited equal true | releaseDate between ${Date.UTC(2021, 0, 1)} ${Date.UTC(2022, 0, 1) - 1}`,
    ],
    ['fidye yazılımı debian', ' | ransomware equal true | vendor equal Debian'],
    [
      'what critical patches came out in june 2026 for windows server 2022',
      ` | ratedSeverity in Critical | releaseDate between ${Date.UTC(2026, 5, 1)} ${Date.UTC(2026, 6, 1) - 1} | release equal Windows Server 2022`,
    ],
    ['KB5063879 ssd', 'KB5063879'],
    ['exchange se update', 'exchange server subscription edition'],
    ['openssl cu15 sicherheitsupdate', 'openssl cu 15'],
    ['exchange cu14', null],
    // Other words of a name stand between those that people type.
    ['windows 11 24h2 x64', ' | release equal Windows 11 Version 24H2 for x64-based Systems'],
    ['sql server x64', ' | release contains SQL Server'],
    // A name and its version in one word, which no record has.
    ['openssl windows2022', 'openssl | release equal Windows Server 2022'],
    ['kernel foo12', 'kernel'],
    ['windows sunucu 2022', ' | release equal Windows Server 2022'],
    ['windows server 2022 kumulatives update', ' | release equal Windows Server 2022'],
    ['openssl aktuelle version', 'openssl'],
    ['openssl indir', 'openssl'],
    ['openssl aktiv ausgenutzte schwachstellen', 'openssl | exploited equal true'],
    ['sql server 2019', ' | release equal Microsoft SQL Server 2019 for x64-based Systems'],
    ['server 2022', ' | release equal Windows Server 2022'],
    ['windows 11 24H2', ' | release equal Windows 11 Version 24H2 for x64-based Systems'],
    ['office', ' | release equal Microsoft Office 2016'],
    ['kernel bookworm', 'kernel | release equal Debian 12'],
    ['kernel debian bookworm', 'kernel | release equal Debian 12'],
    ['sudo jammy', 'sudo | release equal Ubuntu 22.04 LTS'],
    ['sudo 22.04', 'sudo | release equal Ubuntu 22.04 LTS'],
    ['sudo 22.04 lts', 'sudo | release equal Ubuntu 22.04 LTS'],
    ['sudo 24.04', 'sudo | release equal Ubuntu 24.04'],
    ['sudo 10.04', 'sudo'],
    ['debian 12 çekirdek güncellemesi', 'kernel | release equal Debian 12'],
    ['Ubuntu 22.04', ' | release equal Ubuntu 22.04 LTS'],
    ['glibc rhel 9', 'glibc | release in AlmaLinux 9,Rocky Linux 9,Oracle Linux 9'],
    ['glibc el9', 'glibc | release in AlmaLinux 9,Rocky Linux 9,Oracle Linux 9'],
    ['oracle linux', ' | vendor equal Oracle Linux'],
    ['debian', ' | vendor equal Debian'],
    ['exploited microsoft', ' | exploited equal true | vendor equal Microsoft'],
    ['ransomware windows server', ' | ransomware equal true | release start_with Windows Server'],
    [
      'debian June 2026',
      ` | vendor equal Debian | releaseDate between ${Date.UTC(2026, 5, 1)} ${Date.UTC(2026, 6, 1) - 1}`,
    ],
    ['critical this month', ' | ratedSeverity in Critical | releaseDate equal this_month'],
    ['KRİTİK Debian 12', ' | ratedSeverity in Critical | release equal Debian 12'],
    ['debian 12 bookworm openssl', 'openssl | release equal Debian 12'],
    ['openssl security update debian 11', 'openssl | release equal Debian 11'],
    ['openssl patch tuesday', 'openssl'],
    ['"debian 12" important', '"debian 12" | ratedSeverity in Important'],
    ['windows server', ' | release start_with Windows Server'],
    ['windows server 2012', ' | release equal Windows Server 2012 R2'],
    ['debian 9 openssl', 'openssl | release equal Debian 9'],
    ['ubuntu 18.04 openssl', 'openssl | release equal Ubuntu 18.04'],
    ['win11 24h2', ' | release equal Windows 11 Version 24H2 for x64-based Systems'],
    ['mssql 2019', ' | release equal Microsoft SQL Server 2019 for x64-based Systems'],
    ['.net 8', ' | release equal .NET 8.0 installed on Linux'],
    ['macos 14', ' | release equal 14'],
    ['office 2016', ' | release equal Microsoft Office 2016'],
    ['windos server 2022', ' | release equal Windows Server 2022'],
    ['microsoft zero day', ' | vendor equal Microsoft | exploited equal true'],
    [
      'debian Juni 2026',
      ` | vendor equal Debian | releaseDate between ${Date.UTC(2026, 5, 1)} ${Date.UTC(2026, 6, 1) - 1}`,
    ],
    [
      'debian haziran 2026',
      ` | vendor equal Debian | releaseDate between ${Date.UTC(2026, 5, 1)} ${Date.UTC(2026, 6, 1) - 1}`,
    ],
    [
      'debian 2026-06',
      ` | vendor equal Debian | releaseDate between ${Date.UTC(2026, 5, 1)} ${Date.UTC(2026, 6, 1) - 1}`,
    ],
    [
      'openssl rhel 9 2024',
      `openssl | release in AlmaLinux 9,Rocky Linux 9,Oracle Linux 9 | releaseDate between ${Date.UTC(2024, 0, 1)} ${Date.UTC(2025, 0, 1) - 1}`,
    ],
    [
      'openssl 2024',
      `openssl | releaseDate between ${Date.UTC(2024, 0, 1)} ${Date.UTC(2025, 0, 1) - 1}`,
    ],
  ])('reads %j', (query, expected) => {
    expect(read(query)).toBe(expected);
  });

  test.each([
    'office 2019',
    '14',
    'java 14',
    'openssl',
    'server',
    'systems',
    'on for the',
    '',
    'linux',
    '12',
    '"debian"',
  ])('leaves %j as words', (query) => {
    expect(read(query)).toBeNull();
  });

  test.each([
    ['KB 5094127', 'kb5094127'],
    ['kb-5094127', 'kb5094127'],
    ['cve 2024 1086', ' | cve equal CVE-2024-1086'],
    ['CVE2024-1086', ' | cve equal CVE-2024-1086'],
    ['CVE–2024–1086', ' | cve equal CVE-2024-1086'],
    ['alsa 2024 10850', 'alsa-2024:10850'],
    ['usn 6663 1', 'usn-6663-1'],
    ['open office', 'openoffice'],
    ['open ssl debian', 'openssl | vendor equal Debian'],
    ['software removal', 'software removal'],
    ['log4shell', ' | cve equal CVE-2021-44228'],
    ['heartbleed', ' | cve equal CVE-2014-0160'],
    ['venom', 'venom'],
    ['dirty pipe', ' | cve equal CVE-2022-0847'],
    ['dirtypipe', ' | cve equal CVE-2022-0847'],
    ['ms17-010', ' | cve equal CVE-2017-0144'],
    ['ms17 010', ' | cve equal CVE-2017-0144'],
    ['ms17 023', 'ms17-023'],
  ])('writes the identifier %j as the vendors do', (query, expected) => {
    expect(read(query) ?? query).toBe(expected);
  });

  test.each([
    ['CVE-2021-4034 debian 11', ' | cve equal CVE-2021-4034 | release equal Debian 11'],
    ['pwnkit debian', ' | cve equal CVE-2021-4034 | vendor equal Debian'],
    ['cve-2021-403 openssl', 'openssl'],
  ])('reads the whole CVE of %j as a criterion', (query, expected) => {
    expect(read(query)).toBe(expected);
  });

  test('keeps a CVE as a word in a list that cannot search its CVEs', () => {
    const alma = getList('almalinux_patch');
    const words = { names: new NameDictionary(alma, new Map()), texts: null };
    const { criteria, keyword } = readQuery(alma, 'CVE-2021-4034 kernel', words);
    expect({ criteria, keyword }).toEqual({ criteria: [], keyword: 'CVE-2021-4034 kernel' });
  });

  test.each([
    ['bitte openssl aktualisieren', 'openssl'],
    ['openssl güvenlik açığı, debian 12', 'openssl | release equal Debian 12'],
    ['kritische Sicherheitslücke openssl!', 'openssl | ratedSeverity in Critical'],
    ['openssl 64-bit debian 12', 'openssl | release equal Debian 12'],
    ['frobnicate xyz', 'frobnicate xyz'],
  ])('reads %j without what no record has', (query, expected) => {
    expect(read(query) ?? query).toBe(expected);
  });

  test('tells which words no record has', () => {
    const words = { names: new NameDictionary(allPatches, known), texts };
    const { parts } = readQuery(allPatches, 'openssl frobnicate "no such phrase" KB1234567', words);
    expect(parts).toEqual([
      { text: 'openssl', keyword: 'openssl' },
      { text: 'frobnicate', leftOut: true },
      { text: '"no such phrase"', keyword: '"no such phrase"' },
      { text: 'KB1234567', keyword: 'KB1234567' },
    ]);
  });

  test.each([
    ['windows malicious software removal tool', 'windows malicious software removal tool'],
    ['windows server 2022 readiness', 'windows server 2022 readiness'],
    ['windows server 2022 openssl', 'openssl | release equal Windows Server 2022'],
    ['windows server 2022 update', ' | release equal Windows Server 2022'],
  ])('reads no product in %j where the words are a title', (query, expected) => {
    expect(read(query) ?? query).toBe(expected);
  });

  test.each([
    ['opensll', 'openssl'],
    ['opnessl', 'openssl'],
    ['oenssl', 'openssl'],
    ['openssll', 'openssl'],
    ['chromum', 'chromium'],
    ['kernl', 'kernel'],
  ])('corrects %j, which no record has', (query, expected) => {
    expect(read(query)).toBe(expected);
  });

  test.each(['openss', 'opssl', 'abc', '"opensll"'])('corrects %j to nothing', (query) => {
    expect(read(query)).toBeNull();
  });

  test('tells what each part was read as', () => {
    const words = { names: new NameDictionary(allPatches, known), texts };
    const { parts } = readQuery(allPatches, 'opensll critical on Debian 12', words);
    expect(parts).toEqual([
      { text: 'opensll', keyword: 'openssl', corrected: true },
      {
        text: 'critical',
        criterion: { paramName: 'ratedSeverity', operator: 'in', value: ['Critical'] },
      },
      {
        text: 'Debian 12',
        criterion: { paramName: 'release', operator: 'equal', value: 'Debian 12' },
      },
    ]);
  });

  test('takes the longest name when a shorter one is known too', () => {
    expect(read('windows server 2012 R2')).toBe(' | release equal Windows Server 2012 R2');
  });

  test('reads no field that the search compares already', () => {
    expect(read('critical debian 12', ['ratedSeverity'])).toBe(
      'critical | release equal Debian 12',
    );
  });

  test('reads a second value of a field', () => {
    expect(read('critical important')).toBe(' | ratedSeverity in Critical,Important');
  });

  test.each([
    'latest openssl',
    'openssl newest',
    'most recent openssl version',
    'Neuestes openssl update',
    'en son openssl',
    'openssl EN YENİ sürüm',
  ])('reads the order of %j', (query) => {
    const { sort, keyword, parts } = readQuery(allPatches, query, knownWords);
    expect({ sort, keyword }).toEqual({ sort: 'newest', keyword: 'openssl' });
    expect(parts.filter((part) => part.sort === undefined)).toHaveLength(1);
  });

  test('reads an order alone, and none in a phrase or before a span of days', () => {
    expect(readQuery(allPatches, 'latest updates', knownWords)).toEqual({
      parts: [{ text: 'latest', sort: 'newest' }],
      criteria: [],
      keyword: '',
      sort: 'newest',
    });
    expect(readQuery(allPatches, '"latest openssl"', knownWords).sort).toBeUndefined();
    expect(readQuery(allPatches, 'openssl last week', knownWords).sort).toBeUndefined();
  });

  test('reads no order in a list that has its newest records first', () => {
    const alma = getList('almalinux_patch');
    const { keyword, sort } = readQuery(alma, 'latest openssl', knownWords);
    expect({ keyword, sort }).toEqual({ keyword: 'openssl', sort: undefined });
  });

  test('reads spans of days', () => {
    expect(read('debian last 30 days')).toBe(
      ' | vendor equal Debian | releaseDate equal last_30_days',
    );
  });

  test('leaves a pasted text of more than 16 words as it is', () => {
    expect(read(`${'word '.repeat(15)}critical`)).toContain('ratedSeverity in Critical');
    expect(read(`${'word '.repeat(16)}critical`)).toBeNull();
  });

  test.each(catalogueLists)('reads nothing that $key cannot search', (list) => {
    const values = new Map(Object.keys(list.fields).map((name) => [name, ['Wickworks 7']]));
    const names = new NameDictionary(list, values);
    const words = list.searchable.flatMap((name) => {
      const { label, choices = [] } = getField(list, name);
      return [label, ...choices.map(String)];
    });
    for (const word of [...words, 'june 2026', 'today', 'overdue', 'last 8 hours', 'wickworks 7']) {
      const { criteria } = readQuery(list, word, { names, texts: null });
      const when = { now: Date.UTC(2026, 10, 28), timeZone: 'UTC' };
      expect(criteriaConditions(list, criteria, when), word).toHaveLength(criteria.length);
    }
  });
});
