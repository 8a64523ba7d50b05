import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { distroInfoColumns, distroInfoDay, distroInfoRows } from './distro-info.ts';

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
    },
  );
});
