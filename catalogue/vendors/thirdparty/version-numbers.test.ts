import { expect, test } from 'vitest';
import { compareVersions, containsVersion, listCandidateVersions } from './version-numbers.ts';

test.each([
  ['26.02', '26.2', 0],
  ['7.23', '7.23.0', 0],
  ['19.00', '19.00.00.0', 0],
  ['7.10', '7.9', 1],
  ['128.8.0esr', '128.10.0esr', -1],
  ['1.21.15b', '1.21.13b', 1],
  ['99999999999999999999.1', '99999999999999999999.2', -1],
])('compares %s with %s as %i', (a, b, order) => {
  expect(compareVersions(a, b)).toBe(order);
  expect(compareVersions(b, a)).toBe(order === 0 ? 0 : -order);
});

test('lists the spellings that a version may have had before it was read as a number', () => {
  expect(listCandidateVersions('26.2', ['26.02', '7.1'])).toEqual([
    '26.2',
    '26.02',
    '26.2.0',
    '26.20',
  ]);
  expect(listCandidateVersions('7.23', [])).toEqual(['7.23', '7.23.0']);
  expect(listCandidateVersions('154.0-2', [])).toEqual(['154.0-2']);
});

test.each([
  ['https://7-zip.org/a/7z2602-x64.exe', '26.02'],
  ['https://www.rarlab.com/rar/winrar-x64-723.exe', '7.23.0'],
  ['https://e.org/LibreOffice_26.2.5_Win_x86.msi', '26.2.5.2'],
  ['https://e.org/v1.93.136/BraveBrowserStandaloneSetup.exe', '151.1.93.136'],
  ['https://e.org/Firefox%20Setup%20153.0.4.exe', '153.0.4'],
  ['https://e.org/app_9-4-0.exe', '9.4.0'],
  ['https://e.org/releases/154.0/setup.exe', '154.0'],
])('finds in %s the version %s', (address, version) => {
  expect(containsVersion(address, version)).toBe(true);
});

test.each([
  [
    'https://dl.google.com/dl/chrome/install/googlechromestandaloneenterprise64.msi',
    '151.0.7922.174',
  ],
  ['https://e.org/setup64.exe', '6.4'],
  ['https://e.org/latest/setup.exe', '9.4.0'],
  ['https://e.org/19.4.0/setup.exe', '9.4.0'],
])('does not find in %s the version %s', (address, version) => {
  expect(containsVersion(address, version)).toBe(false);
});
