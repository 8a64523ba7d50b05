import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDpkgVersions } from './dpkg-version.ts';

test('sorts versions from oldest to newest', () => {
  const ordered = [
    '1.0~~',
    '1.0~~a',
    '1.0~',
    '1.0~rc1-1',
    '1.0',
    '1.0-0.1',
    '1.0-1~deb11u1',
    '1.0-1',
    '1.0-1+b1',
    '1.0-1+deb11u1',
    '1.0-1+deb11u10',
    '1.0a',
    '1.0z',
    '1.0+',
    '1.0.1',
    '1.00.2',
    '1.10',
    '1.20230101',
    '1.99999999999999999999',
    '1.100000000000000000000',
    'a',
    '1:0~',
    '1:0.1-1',
    '2:0',
    '10:0',
  ];
  for (const [index, a] of ordered.entries()) {
    for (const [otherIndex, b] of ordered.entries()) {
      expect(Math.sign(compareDpkgVersions(a, b)), `${a} to ${b}`).toBe(
        Math.sign(index - otherIndex),
      );
    }
  }
});

test.each([
  ['1.0', '0:1.0'],
  ['1.0', '1.00'],
  ['1.0-0', '1.0'],
  ['1.0-1', ' 1.0-01 '],
  ['0:1-2-3', '1-2-3'],
])('treats %s and %s as equal', (a, b) => {
  expect(compareDpkgVersions(a, b)).toBe(0);
  expect(compareDpkgVersions(b, a)).toBe(0);
});

test('defines a total order', () => {
  const version = fc.stringMatching(/^([0-2]:)?[0-2][0-2a.~+]{0,5}(-[0-2a.~+]{1,3})?$/);
  const holds = fc.property(version, version, version, (a, b, c) => {
    expect(Math.sign(compareDpkgVersions(a, b)) + Math.sign(compareDpkgVersions(b, a))).toBe(0);
    const [x, y, z] = [a, b, c].toSorted(compareDpkgVersions) as [string, string, string];
    expect(compareDpkgVersions(x, y)).toBeLessThanOrEqual(0);
    expect(compareDpkgVersions(y, z)).toBeLessThanOrEqual(0);
    expect(compareDpkgVersions(x, z)).toBeLessThanOrEqual(0);
  });
  fc.assert(holds, { numRuns: 2000 });
});
