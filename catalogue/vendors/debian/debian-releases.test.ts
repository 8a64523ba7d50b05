import { expect, test } from 'vitest';
import { debianReleaseName, fallbackVersions, readVersions } from './debian-releases.ts';

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
    'https://example.org/debian.csv',
  );
  expect(['halogen', 'sid', 'bullseye', 'woody'].map((codename) => debianReleaseName(codename, versions))).toEqual([
    'Debian 17',
    'Debian sid',
    'Debian 11.x',
    'Debian 3.0',
  ]);
});

test('something else than that table throws', () => {
  expect(() => readVersions('<html>', 'https://example.org/debian.csv')).toThrow('it has no columns "version" and "series"');
});
