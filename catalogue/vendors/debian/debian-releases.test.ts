import { expect, test } from 'vitest';
import {
  fallbackVersions,
  formatDebianReleaseName,
  isKnownRelease,
  listReleasesWithSecuritySuite,
  readVersions,
} from './debian-releases.ts';

test.each([
  ['bullseye', 'Debian 11'],
  ['woody', 'Debian 3.0'],
  ['sid', 'Debian sid'],
  ['constructor', 'Debian constructor'],
])("maps %s to %s without the vendor's table", (codename, name) => {
  expect(formatDebianReleaseName(codename, fallbackVersions)).toBe(name);
});

test("takes names from the vendor's table in any column order, else from the known ones", () => {
  const versions = readVersions(
    'codename,series,version\r\nHalogen,halogen,17\r\nSid,sid,\r\nBullseye,bullseye,11.x\r\n\r\n',
  );
  expect(
    ['halogen', 'sid', 'bullseye', 'woody'].map((codename) =>
      formatDebianReleaseName(codename, versions),
    ),
  ).toEqual(['Debian 17', 'Debian sid', 'Debian 11.x', 'Debian 3.0']);
});

test('knows the releases of the table, sid and experimental only', () => {
  for (const known of ['bullseye', 'sid', 'experimental'])
    expect(isKnownRelease(known, fallbackVersions)).toBe(true);
  for (const unknown of ['foo', '', 'constructor'])
    expect(isKnownRelease(unknown, fallbackVersions)).toBe(false);
});

test('returns the security suites of releases since 11 that are released by then', () => {
  const csv = [
    'version,codename,series,created,release,eol',
    '10,Buster,buster,2017-06-17,2019-07-06,2022-09-10',
    '11,Bullseye,bullseye,2019-07-06,2021-08-14,2024-08-14',
    '13,Trixie,trixie,2023-06-10,2025-08-09,2028-08-09',
    '14,Forky,forky,2025-08-09',
    '15,Odd,../odd,2025-08-09,2025-08-09',
    ',Sid,sid,1993-08-16',
  ].join('\n');
  expect(listReleasesWithSecuritySuite(csv, Date.UTC(2024, 0, 1))).toEqual(['bullseye']);
  expect(listReleasesWithSecuritySuite(csv, Date.UTC(2026, 0, 1))).toEqual(['bullseye', 'trixie']);
  expect(listReleasesWithSecuritySuite(null, Date.UTC(2026, 0, 1))).toEqual([
    'bullseye',
    'bookworm',
    'trixie',
  ]);
});
