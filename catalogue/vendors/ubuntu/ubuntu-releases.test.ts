import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { findFreezeDate } from './ubuntu-freeze-date.ts';
import { formatUbuntuReleaseName, isKnownRelease } from './ubuntu-releases.ts';

test.each([
  ['jammy', '22.04', 'Ubuntu 22.04 LTS'],
  ['questing', '25.10', 'Ubuntu 25.10'],
  ['plucky', '25.04', 'Ubuntu 25.04'],
  ['dapper', '6.06', 'Ubuntu 6.06 LTS'],
  ['dapper', null, 'Ubuntu 6.06 LTS'],
  ['hardy', '8.04', 'Ubuntu 8.04 LTS'],
  ['warty', null, 'Ubuntu 4.10'],
  ['resolute', null, 'Ubuntu 26.04 LTS'],
  ['brand-new', '30.04', 'Ubuntu 30.04 LTS'],
  ['brand-new', null, 'Ubuntu brand-new'],
  ['constructor', null, 'Ubuntu constructor'],
])('names %s %s %s', (codename, version, name) => {
  expect(formatUbuntuReleaseName(codename, version)).toBe(name);
});

test('knows a code name by its version or by the table', () => {
  expect(isKnownRelease('jammy', null)).toBe(true);
  expect(isKnownRelease('brand-new', '30.04')).toBe(true);
  for (const unknown of ['brand-new', 'constructor'])
    expect(isKnownRelease(unknown, null)).toBe(false);
});

describeWithMirror('days of the releases in the feed mirror', () => {
  let csv = '';
  beforeAll(() => {
    const table = new URL('debian.pages.debian.net/distro-info-data/ubuntu.csv', feedMirror);
    csv = readFileSync(table, 'utf8');
  });

  test.each([
    ['jammy', '2022-04-21T17:16:08Z', true],
    ['focal', '2020-04-23T17:33:17Z', true],
    ['trusty', '2014-05-08T14:19:09Z', true],
    // Before the release, its Release file had the date of that day.
    ['jammy', '2022-04-20T23:59:59Z', false],
    ['stonking', '2026-10-14T12:00:00Z', false],
    ['brand-new', '2030-04-25T12:00:00Z', false],
  ])('tells whether %s is frozen at %s: %s', (codename, date, frozen) => {
    expect(findFreezeDate(codename, Date.parse(date), csv)).toBe(frozen ? Date.parse(date) : null);
  });

  test('returns null without a date or without the table', () => {
    expect(findFreezeDate('jammy', null, csv)).toBeNull();
    expect(findFreezeDate('jammy', Date.UTC(2022, 3, 21, 17), null)).toBeNull();
  });
});
