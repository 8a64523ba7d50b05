import { expect, test } from 'vitest';
import { compareDpkgVersions } from '../schemas/dpkg-version.ts';
import { naturalOrder, versionOrder } from '../testing/number-orders.ts';
import { dpkgPairs } from '../testing/version-pairs.ts';
import { fold } from './fold.ts';

const sign = (a: string, b: string) => Number(a > b) - Number(a < b);

test('orders identifiers by their numbers', () => {
  const inOrder = [
    'ALSA-2024:1075',
    'ALSA-2024:10702',
    'DSA-999-1',
    'DSA-5378-1',
    'DSA-5378-10',
    'KB891716',
    'KB5097150',
    'x',
  ].map((written) => naturalOrder(fold(written)));
  expect(inOrder.toSorted(sign)).toEqual(inOrder);
});

test('orders versions by their numbers, tilde and epoch', () => {
  const inOrder = [
    '9.10',
    '10.0~rc1-1',
    '10.0-1~bpo12+1',
    '10.0-1',
    '10.0-1+b1',
    '10.0+dfsg-1',
    '10.0.1',
    '1:0.1',
  ];
  const keys = inOrder.map(versionOrder);
  expect(keys.toSorted(sign)).toEqual(keys);
});

test('orders versions as dpkg does', () => {
  const pairs = dpkgPairs(20_000, 20_261_125);
  const wrong = pairs
    .map(([a, b]) => [fold(a), fold(b)] as const)
    .filter(
      ([a, b]) => Math.sign(compareDpkgVersions(a, b)) !== sign(versionOrder(a), versionOrder(b)),
    );
  expect(wrong).toEqual([]);
});
