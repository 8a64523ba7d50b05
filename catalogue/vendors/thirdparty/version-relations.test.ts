import { expect, test } from 'vitest';
import { findNameInAddresses, type ReleaseNames, relate } from './version-relations.ts';

const createNames = (version: string, ...names: string[]): ReleaseNames => ({
  version,
  otherNames: names.map((name) => ({ name, where: 'in its download address' })),
});

test.each([
  ['153.0.4', '153.0.3', 1],
  ['154.0', '153.0.1', 1],
  ['26.02', '26.2', 0],
  ['7.23.0', '7.23', 0],
  ['26.2.5.2', '26.2.4', 1],
  ['26.2.5.2', '26.2.5', 1],
  ['151.0.7922.174', '151.0.7922.9', 1],
  ['154.0.1-1', '154.0-2', 1],
  ['154.0-2', '154.0-1', 1],
  ['12.16.4@153.0', '12.16.4', 0],
  ['153.0.0', '128.8.0esr', 1],
])('compares %s with %s within one scheme', (a, b, order) => {
  expect(relate(createNames(a), createNames(b))).toEqual({ order, evidence: null });
  expect(relate(createNames(b), createNames(a))).toEqual({ order: 0 - order, evidence: null });
});

test.each([
  ['151.1.93.136', '1.93.138', -1, '151.1.93.136 is numbered as 1.93.138 is, with 151 in front'],
  ['151.1.93.136', '1.93.136', 0, '151.1.93.136 is numbered as 1.93.136 is, with 151 in front'],
  ['151.1.93.136', '1.93.134', 1, '151.1.93.136 is numbered as 1.93.134 is, with 151 in front'],
  ['152.1.94.10', '1.93.138', 1, '152.1.94.10 is numbered as 1.93.138 is, with 152 in front'],
  ['7.1.5.43453', '7.1.43453', 0, '7.1.5.43453 is numbered as 7.1.43453 is, with 5 in its midst'],
  ['7.1.5.43453', '7.1.43500', -1, '7.1.5.43453 is numbered as 7.1.43500 is, with 5 in its midst'],
  ['2026.1.3.36551', '2026.1.3', 0, '2026.1.3.36551 is build 36551 of 2026.1.3'],
])('relates %s and %s of different schemes', (a, b, order, evidence) => {
  expect(relate(createNames(a), createNames(b))).toEqual({ order, evidence });
  expect(relate(createNames(b), createNames(a))).toEqual({ order: 0 - order, evidence });
});

test('relates versions by an additional name of a source', () => {
  const evidence = '4.116.9816 is called 4.1.16 in its download address';
  const office = createNames('4.116.9816', '4.1.16');
  expect(relate(office, createNames('4.1.16'))).toEqual({ order: 0, evidence });
  expect(relate(office, createNames('4.1.17'))).toEqual({ order: -1, evidence });
  expect(relate(createNames('4.1.15'), office)).toEqual({ order: -1, evidence });
  expect(relate(createNames('26.2.5.2', '26.2.5'), createNames('26.2.5'))).toMatchObject({
    order: 0,
  });
});

test.each([
  ['4.116.9816', '4.1.17'],
  ['152.2.0.5', '1.99.130'],
  ['16.0.20228.20124', '16.109.26081622'],
  ['r5', 'latest'],
])('does not compare %s with %s', (a, b) => {
  expect(relate(createNames(a), createNames(b))).toBeNull();
  expect(relate(createNames(b), createNames(a))).toBeNull();
});

test.each([
  [
    '4.116.9816',
    [
      'https://e.org/4.1.16/Office_4.1.16_x86_en-US.exe',
      'https://e.org/4.1.16/Office_4.1.16_x86_de.exe',
    ],
    '4.1.16',
  ],
  ['26.2.5.2', ['https://e.org/26.2.5/LibreOffice_26.2.5_Win_x86.msi'], '26.2.5'],
  ['151.1.93.136', ['https://e.org/v1.93.136/Brave.exe'], '1.93.136'],
])('takes the name of %s from its addresses', (version, addresses, name) => {
  expect(findNameInAddresses(version, addresses)).toBe(name);
});

test.each([
  ['names the version in full', '26.2.5.2', ['https://e.org/26.2.5/Office_26.2.5.2.msi']],
  ['names it in full without dots', '7.23.0', ['https://e.org/winrar-x64-723.exe']],
  [
    'does not name the version',
    '151.0.7922.174',
    ['https://e.org/enterprise64.msi', 'https://e.org/10.0/setup.exe'],
  ],
  ['names a branch', '26.8.0.1788', ['https://e.org/26.8/setup.exe']],
  [
    'differs from another',
    '4.116.9816',
    ['https://e.org/4.1.16/a.exe', 'https://e.org/116.9816/b.exe'],
  ],
  ['does not exist', '1.2.3', []],
])('takes no name from an address that %s', (_words, version, addresses) => {
  expect(findNameInAddresses(version, addresses)).toBeNull();
});
