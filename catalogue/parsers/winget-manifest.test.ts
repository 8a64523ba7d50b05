import { expect, test } from 'vitest';
import {
  InvalidManifest,
  readWingetDefaultLocale,
  readWingetDescription,
  readWingetInstallers,
} from './winget-manifest.ts';

test('reads a number as written, and refuses a bomb of aliases', () => {
  const { version, releaseDate } = readWingetInstallers(
    'PackageVersion: 7.10\r\nInstallers:\r\n- Architecture: X64\r\n  ReleaseDate: 2031-01-02\r\n',
  );
  expect(version).toBe('7.10');
  expect(releaseDate).toBe(Date.UTC(2031, 0, 2));
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(
      (name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`,
    ),
  ];
  expect(() => readWingetDescription(bomb.join('\n'))).toThrow(InvalidManifest);
});

test.each([
  '- a',
  'Installers: []',
  'PackageVersion: 1\nInstallers: []',
  'PackageVersion: [1]\nInstallers:\n- A: b',
  'a: b: c',
  '',
  'a: 1\n---\nb: 2',
])('refuses %j as a list of installers', (text) => {
  expect(() => readWingetInstallers(text)).toThrow(InvalidManifest);
});

test('reads the default language', () => {
  expect(readWingetDefaultLocale('DefaultLocale: ko-KR\nManifestType: version')).toBe('ko-KR');
  expect(readWingetDefaultLocale('ManifestType: version')).toBe('en-US');
  expect(readWingetDefaultLocale('ManifestType: singleton')).toBeNull();
});

test('reads an invalid list of tags as empty', () => {
  for (const tags of ['Tags:', 'Tags: one', 'Tags: []'])
    expect(readWingetDescription(`PackageName: a\n${tags}`).tags).toEqual([]);
});

test('inherits each missing switch from the outermost level', () => {
  const { installers } = readWingetInstallers(
    [
      'PackageVersion: 1.0',
      'InstallerSwitches: { Silent: /S, Custom: /norestart }',
      'AppsAndFeaturesEntries: [{ ProductCode: outer, UpgradeCode: family }]',
      'Installers:',
      '- InstallerSwitches: { Silent: /quiet }',
      '- ProductCode: own',
      '- AppsAndFeaturesEntries: [{ DisplayVersion: 1.0.7 }]',
      '- InstallerSwitches: /S',
      '  AppsAndFeaturesEntries: none',
      '  ProductCode: [a]',
    ].join('\n'),
  );
  const outer = {
    silentSwitches: '/S',
    customSwitches: '/norestart',
    productCode: 'outer',
    upgradeCode: 'family',
    displayVersion: null,
  };
  expect(installers).toMatchObject([
    { ...outer, silentSwitches: '/quiet' },
    { ...outer, productCode: 'own' },
    { ...outer, productCode: null, upgradeCode: null, displayVersion: '1.0.7' },
    outer,
  ]);
});
