import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { documentFrom } from '../testing/document-from.ts';
import {
  distroInfoColumns,
  distroInfoDay,
  distroInfoRows,
  requireDistroInfo,
  unfitReleases,
} from './distro-info.ts';

test('rows by the names of the columns, wherever they stand', () => {
  const csv = 'series,version , release\r\nhalogen,17\r\n\r\nwick,9 LTS,2031-04-24,more\r\n';
  expect(distroInfoColumns(csv)).toEqual(['series', 'version', 'release']);
  expect(distroInfoRows(csv)).toEqual([
    { series: 'halogen', version: '17' },
    { series: 'wick', version: '9 LTS', release: '2031-04-24', '': 'more' },
  ]);
  expect(distroInfoRows('')).toEqual([]);
});

test('a day is at midnight UTC', () => {
  expect(distroInfoDay('2031-04-24')).toBe(Date.UTC(2031, 3, 24));
  for (const none of [undefined, '', '2031', '2031-13-01', 'soon'])
    expect(distroInfoDay(none)).toBeNull();
});

test.each([
  ['<html>', 'it has no columns "version" and "series"'],
  ['', 'it has no columns'],
  ['version,series,release\n', 'there is no release in it'],
  ['version,series,release\n11,,2021-08-14\n', 'there is no release in it'],
])('refuses the table %j', async (csv, reason) => {
  const document = documentFrom('https://example.org/debian.csv', csv);
  await expect(requireDistroInfo(document)).rejects.toThrow(reason);
});

test('reports releases without a series or with what is no day, not those that are not released yet', () => {
  const csv =
    'version,series,release\n11,bullseye,soon\n12,,2023-06-10\n,,2024-01-01\n14,forky,\n15,duke\n';
  expect(unfitReleases(csv)).toEqual([
    'the table of releases has no day for bullseye: "soon"',
    'the table of releases names no series of 12',
    'the table of releases names no series of line 4',
  ]);
});

describeWithMirror('distro-info-data in the feed mirror', () => {
  test.each(['debian', 'ubuntu'])(
    '%s: every release has a series, and every released one its day',
    (name) => {
      const csv = readFileSync(
        new URL(`debian.pages.debian.net/distro-info-data/${name}.csv`, feedMirror),
        'utf8',
      );
      const rows = distroInfoRows(csv);
      expect(rows).toHaveLength(csv.trim().split('\n').length - 1);
      expect(rows.filter(({ series = '' }) => !/^[a-z]+$/.test(series))).toEqual([]);
      expect(
        rows.filter(({ release, eol }) => eol !== undefined && distroInfoDay(release) === null),
      ).toEqual([]);
      expect(unfitReleases(csv)).toEqual([]);
    },
  );
});
