import { expect, test } from 'vitest';
import {
  debianReleaseName,
  fallbackVersions,
  isKnownRelease,
  readVersions,
  releasesWithSecuritySuite,
} from './debian-releases.ts';

test.each([
  ['bullseye', 'Debian 11'],
  ['woody', 'Debian 3.0'],
  ['sid', 'Debian sid'],
  ['constructor', 'Debian constructor'],
])('%s is %s without the table of the vendor', (codename, name) => {
  expect(debianReleaseName(codename, fallbackVersions)).toBe(name);
});

test('the vendor names new releases, wherever its columns stand; what it lacks is known', () => {
  const versions = readVersions(
    'codename,series,version\r\nHalogen,halogen,17\r\nSid,sid,\r\nBullseye,bullseye,11.x\r\n\r\n',
  );
  expect(
    ['halogen', 'sid', 'bullseye', 'woody'].map((codename) =>
      debianReleaseName(codename, versions),
    ),
  ).toEqual(['Debian 17', 'Debian sid', 'Debian 11.x', 'Debian 3.0']);
});

test('only a release of the table, sid and experimental are known', () => {
  for (const known of ['bullseye', 'sid', 'experimental'])
    expect(isKnownRelease(known, fallbackVersions)).toBe(true);
  for (const unknown of ['foo', '', 'constructor'])
    expect(isKnownRelease(unknown, fallbackVersions)).toBe(false);
});

test('security suites are those of the releases since 11 that are released by then', () => {
  const csv = [
    'version,codename,series,created,release,eol',
    '10,Buster,buster,2017-06-17,2019-07-06,2022-09-10',
    '11,Bullseye,bullseye,2019-07-06,2021-08-14,2024-08-14',
    '13,Trixie,trixie,2023-06-10,2025-08-09,2028-08-09',
    '14,Forky,forky,2025-08-09',
    '15,Odd,../odd,2025-08-09,2025-08-09',
    ',Sid,sid,1993-08-16',
  ].join('\n');
  expect(releasesWithSecuritySuite(csv, Date.UTC(2024, 0, 1))).toEqual(['bullseye']);
  expect(releasesWithSecuritySuite(csv, Date.UTC(2026, 0, 1))).toEqual(['bullseye', 'trixie']);
  expect(releasesWithSecuritySuite(null, Date.UTC(2026, 0, 1))).toEqual([
    'bullseye',
    'bookworm',
    'trixie',
  ]);
});
