import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { criteriaConditions } from '@patch/contract/filter/criteria-conditions.ts';
import { describe, expect, test } from 'vitest';
import { readQuery } from './query-reading.ts';

const allPatches = getList('all_patches');
const known = new Map([
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
    ],
  ],
]);

/** Writes a reading as `word word | field value | …`. */
function read(query: string, except: readonly string[] = []): string | null {
  const reading = readQuery(allPatches, query, known, new Set(except));
  if (reading === null) return null;
  const criteria = reading.criteria.map(({ paramName, operator, value, toValue }) =>
    [paramName, operator, String(value), ...(toValue === undefined ? [] : [toValue])].join(' '),
  );
  return [reading.keyword, ...criteria].join(' | ');
}

describe('readQuery', () => {
  test.each([
    ['openssl critical on Debian 12', 'openssl | severity in Critical | release equal Debian 12'],
    ['SQL Server', ' | release contains sql server'],
    ['sql server 2019', ' | release equal Microsoft SQL Server 2019 for x64-based Systems'],
    ['server 2022', ' | release equal Windows Server 2022'],
    ['windows 11 24H2', ' | release equal Windows 11 Version 24H2 for x64-based Systems'],
    ['office', ' | release equal Microsoft Office 2016'],
    ['kernel bookworm', 'kernel | release equal Debian 12'],
    ['kernel debian bookworm', 'kernel | release equal Debian 12'],
    ['sudo jammy', 'sudo | release equal Ubuntu 22.04 LTS'],
    ['Ubuntu 22.04', ' | release equal Ubuntu 22.04 LTS'],
    ['glibc rhel 9', 'glibc | release in AlmaLinux 9,Rocky Linux 9,Oracle Linux 9'],
    ['glibc el9', 'glibc | release in AlmaLinux 9,Rocky Linux 9,Oracle Linux 9'],
    ['oracle linux', ' | vendor equal Oracle Linux'],
    ['debian', ' | vendor equal Debian'],
    ['exploited microsoft', ' | exploited equal true | vendor equal Microsoft'],
    ['ransomware windows server', ' | ransomware equal true | release contains windows server'],
    [
      'debian June 2026',
      ` | vendor equal Debian | releaseDate between ${Date.UTC(2026, 5, 1)} ${Date.UTC(2026, 6, 1) - 1}`,
    ],
    ['critical this month', ' | severity in Critical | releaseDate equal this_month'],
    ['KRİTİK Debian 12', 'KRİTİK | release equal Debian 12'],
    ['"debian 12" important', '"debian 12" | severity in Important'],
  ])('reads %j', (query, expected) => {
    expect(read(query)).toBe(expected);
  });

  test.each(['openssl', 'server', 'systems', 'on for the', '', 'linux', '12', '"debian"'])(
    'leaves %j as words',
    (query) => {
      expect(read(query)).toBeNull();
    },
  );

  test('takes the longest name when a shorter one is known too', () => {
    expect(read('windows server 2012 R2')).toBe(' | release equal Windows Server 2012 R2');
  });

  test('reads no field that the search compares already', () => {
    expect(read('critical debian 12', ['severity'])).toBe('critical | release equal Debian 12');
  });

  test('keeps a second value of a field as a word', () => {
    expect(read('critical important')).toBe('important | severity in Critical');
  });

  test('reads spans of days', () => {
    expect(read('debian last 30 days')).toBe(
      ' | vendor equal Debian | releaseDate equal last_30_days',
    );
  });

  test('leaves a pasted text of more than 16 words as it is', () => {
    expect(read(`${'word '.repeat(15)}critical`)).not.toBeNull();
    expect(read(`${'word '.repeat(16)}critical`)).toBeNull();
  });

  test.each(catalogueLists)('reads nothing that $key cannot search', (list) => {
    const values = new Map(Object.keys(list.fields).map((name) => [name, ['Wickworks 7']]));
    const words = list.searchable.flatMap((name) => {
      const { label, choices = [] } = getField(list, name);
      return [label, ...choices.map(String)];
    });
    for (const word of [...words, 'june 2026', 'today', 'overdue', 'last 8 hours', 'wickworks 7']) {
      const { criteria } = readQuery(list, word, values) ?? { criteria: [] };
      const when = { now: Date.UTC(2026, 10, 28), timeZone: 'UTC' };
      expect(criteriaConditions(list, criteria, when), word).toHaveLength(criteria.length);
    }
  });
});
