/** Checks the version order of both package formats against verified cases; version-order.long.ts runs the systems' programs. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeWithInventories, inventoryFile } from '../testing/machine-inventories.ts';
import { compareDpkgVersions } from './dpkg-version.ts';
import {
  compareRpmVersions,
  compareRpmVersionsWithoutEpoch,
  parseRpmVersion,
} from './rpm-version.ts';

const comparisons = { rpm: compareRpmVersions, deb: compareDpkgVersions };

interface VersionCase {
  readonly scheme: 'rpm' | 'deb';
  readonly a: string;
  readonly b: string;
  readonly order: number;
}

describeWithInventories('verified comparisons', () => {
  test('agree with rpm and dpkg in both directions', () => {
    const cases = JSON.parse(inventoryFile('version-cases.json').toString()) as VersionCase[];
    expect(cases.length).toBeGreaterThanOrEqual(295);
    const orders = cases.map(({ scheme, a, b }) => ({
      scheme,
      a,
      b,
      order: Math.sign(comparisons[scheme](a, b)),
      reverse: Math.sign(comparisons[scheme](b, a)),
    }));
    const expected = cases.map(({ scheme, a, b, order }) => ({
      scheme,
      a,
      b,
      order,
      reverse: 0 - order,
    }));
    expect(orders).toEqual(expected);
  });
});

test('sorts versions of RPM packages as rpm does, oldest first', () => {
  const ordered = [
    '~',
    '~1',
    '',
    '1~~-1',
    '1~rc1-1',
    '1~rc1^git1-1',
    '1-~1',
    '1',
    '1-1',
    '1-1.el8',
    '1-1.el8_10',
    '1-1.el9',
    '1-1.1',
    '1-10',
    '1^-1',
    '1^git1~1-1',
    '1^git1-1',
    '1^git2-1',
    '1a-1',
    '1.0-1',
    '1.0.a-1',
    '1.0.1-1',
    '1.2-1',
    '1.10-1',
    '1.99999999999999999999-1',
    '1.100000000000000000000-1',
    '1:0-1',
    '2:0-0',
    '10:0-0',
  ];
  for (const [index, a] of ordered.entries()) {
    for (const [otherIndex, b] of ordered.entries()) {
      expect([a, b, Math.sign(compareRpmVersions(a, b))]).toEqual([
        a,
        b,
        Math.sign(index - otherIndex),
      ]);
    }
  }
});

test.each([
  ['1.0-1', '0:1.0-1'],
  ['(none):1.0-1', '0:1.0-1'],
  ['1.0-1', ' 1_00-01 '],
  ['1.0.-1', '1.0-1'],
  ['00:1-1', '1-1'],
  ['1é0-1', '1.0-1'],
])('treats %s and %s as one version', (a, b) => {
  expect(compareRpmVersions(a, b)).toBe(0);
  expect(compareRpmVersions(b, a)).toBe(0);
});

test('ignores epochs when comparing without them', () => {
  expect(compareRpmVersionsWithoutEpoch('1:1.0-1', '2.0-1')).toBeLessThan(0);
  expect(compareRpmVersions('1:1.0-1', '2.0-1')).toBeGreaterThan(0);
});

test('splits epoch, version and release', () => {
  expect(parseRpmVersion('32:9.11.4-26.P2.el7_9')).toEqual({
    epoch: '32',
    version: '9.11.4',
    release: '26.P2.el7_9',
  });
  expect(parseRpmVersion('(none):1')).toEqual({ epoch: null, version: '1', release: '' });
  expect(parseRpmVersion('1-2-3')).toEqual({ epoch: null, version: '1-2', release: '3' });
});

test.each(['rpm', 'deb'] as const)('orders any %s versions totally', (scheme) => {
  const compare = comparisons[scheme];
  const version = fc.oneof(
    fc.stringMatching(/^([0-2]:)?[0-2a.~^+]{0,6}(-[0-2a.~^+]{1,3})?$/),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const holds = fc.property(version, version, version, (a, b, c) => {
    expect(compare(a, a)).toBe(0);
    expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
    const [x, y, z] = [a, b, c].toSorted(compare) as [string, string, string];
    expect(compare(x, y)).toBeLessThanOrEqual(0);
    expect(compare(y, z)).toBeLessThanOrEqual(0);
    expect(compare(x, z)).toBeLessThanOrEqual(0);
    const equal = compare(x, y) === 0;
    expect(!equal || Math.sign(compare(x, z)) === Math.sign(compare(y, z))).toBe(true);
  });
  fc.assert(holds, { numRuns: 1000 });
});
