import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { documentFrom } from '../testing/document-from.ts';
import {
  findUnreadableReleases,
  parseDistroInfo,
  parseDistroInfoColumns,
  parseDistroInfoDay,
  validateDistroInfo,
} from './distro-info.ts';

test('reads rows by their column names in any column order', () => {
  const csv = 'series,version , release\r\nhalogen,17\r\n\r\nwick,9 LTS,2031-04-24,more\r\n';
  expect(parseDistroInfoColumns(csv)).toEqual(['series', 'version', 'release']);
  expect(parseDistroInfo(csv)).toEqual([
    { series: 'halogen', version: '17' },
    { series: 'wick', version: '9 LTS', release: '2031-04-24', '': 'more' },
  ]);
  expect(parseDistroInfo('')).toEqual([]);
});

test('parses a day as midnight UTC and returns null for anything else', () => {
  expect(parseDistroInfoDay('2031-04-24')).toBe(Date.UTC(2031, 3, 24));
  for (const invalid of [undefined, '', '2031', '2031-13-01', 'soon'])
    expect(parseDistroInfoDay(invalid)).toBeNull();
});

test.each([
  ['<html>', 'it has no columns "version" and "series"'],
  ['', 'it has no columns'],
  ['version,series,release\n', 'it contains no release'],
  ['version,series,release\n11,,2021-08-14\n', 'it contains no release'],
])('refuses the table %j', async (csv, reason) => {
  const document = documentFrom('https://example.org/debian.csv', csv);
  await expect(validateDistroInfo(document)).rejects.toThrow(reason);
});

test('reports releases without a series or with an invalid day, but not future ones', () => {
  const csv =
    'version,series,release\n11,bullseye,soon\n12,,2023-06-10\n,,2024-01-01\n14,forky,\n15,duke\n';
  expect(findUnreadableReleases(csv)).toEqual([
    'the table of releases has no day for bullseye: "soon"',
    'the table of releases names no series of 12',
    'the table of releases names no series of line 4',
  ]);
});

describeWithMirror('distro-info-data in the feed mirror', () => {
  test.each(['debian', 'ubuntu'])(
    'gives every release of %s a series, and every released one its day',
    (name) => {
      const csv = readFileSync(
        new URL(`debian.pages.debian.net/distro-info-data/${name}.csv`, feedMirror),
        'utf8',
      );
      const rows = parseDistroInfo(csv);
      expect(rows).toHaveLength(csv.trim().split('\n').length - 1);
      expect(rows.filter(({ series = '' }) => !/^[a-z]+$/.test(series))).toEqual([]);
      expect(
        rows.filter(
          ({ release, eol }) => eol !== undefined && parseDistroInfoDay(release) === null,
        ),
      ).toEqual([]);
      expect(findUnreadableReleases(csv)).toEqual([]);
    },
  );
});
