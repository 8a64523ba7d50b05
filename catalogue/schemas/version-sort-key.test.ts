import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeWithInventories, inventoryFile } from '../testing/machine-inventories.ts';
import { dpkgPairs, rpmPairs, type VersionPair } from '../testing/version-pairs.ts';
import { compareDpkgVersions } from './dpkg-version.ts';
import { compareRpmVersions, compareRpmVersionsWithoutEpoch } from './rpm-version.ts';
import { toDpkgSortKey, toRpmSortKey, type VersionSortKey } from './version-sort-key.ts';

const schemes = {
  rpm: { keyOf: toRpmSortKey, compare: compareRpmVersions, pairs: rpmPairs },
  deb: { keyOf: toDpkgSortKey, compare: compareDpkgVersions, pairs: dpkgPairs },
};
type Scheme = keyof typeof schemes;

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

const byKeys = (a: VersionSortKey, b: VersionSortKey) =>
  byBytes(a.epoch, b.epoch) || byBytes(a.version, b.version);

function differences(scheme: Scheme, pairs: readonly VersionPair[]): string[] {
  const { keyOf, compare } = schemes[scheme];
  return pairs.flatMap(([a, b]) =>
    Math.sign(byKeys(keyOf(a), keyOf(b))) === Math.sign(compare(a, b)) ? [] : [`${a} and ${b}`],
  );
}

const VersionCases = (text: string) =>
  JSON.parse(text) as { scheme: Scheme; a: string; b: string; order: number }[];

describeWithInventories('verified comparisons', () => {
  test('agree with the order of the keys', () => {
    const cases = VersionCases(inventoryFile('version-cases.json').toString());
    expect(cases.length).toBeGreaterThanOrEqual(295);
    const wrong = cases.filter(({ scheme, a, b, order }) => {
      const { keyOf } = schemes[scheme];
      return Math.sign(byKeys(keyOf(a), keyOf(b))) !== order;
    });
    expect(wrong).toEqual([]);
  });
});

const pairCount = 100_000;

test.each(['rpm', 'deb'] as const)(
  `orders ${pairCount} generated pairs of %s by bytes`,
  (scheme) => {
    expect(differences(scheme, schemes[scheme].pairs(pairCount, 20_261_124))).toEqual([]);
  },
);

test.each(['rpm', 'deb'] as const)('orders any texts as %s versions', (scheme) => {
  const version = fc.oneof(
    fc.stringMatching(/^([0-2]{1,2}:)?[0-2ab.~^+:-]{0,7}(-[0-2a.~^+]{1,3})?$/),
    fc.stringMatching(/^[0-9]{20,60}(\.[0-9]{20,60})?$/),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const holds = fc.property(version, version, (a, b) => {
    expect(differences(scheme, [[a, b]])).toEqual([]);
  });
  fc.assert(holds, { numRuns: 20_000 });
});

test('separates epochs from versions', () => {
  expect(toRpmSortKey('7:1-1').version).toBe(toRpmSortKey('1-1').version);
  expect(toRpmSortKey('(none):1-1').epoch).toBe(toRpmSortKey('0:1-1').epoch);
  expect(byBytes(toRpmSortKey('10:1').epoch, toRpmSortKey('9:1').epoch)).toBe(1);
  expect(compareRpmVersionsWithoutEpoch('7:1-1', '1-1')).toBe(0);
});

test('contains only printable ASCII when the version does', () => {
  expect(toRpmSortKey('1.2.3-4.el8_10~rc1^git').version).toMatch(/^[ -~]+$/);
  expect(toDpkgSortKey('2.31-0ubuntu9.9+esm1~x:é').version).toMatch(/^[ -~]+$/);
});
