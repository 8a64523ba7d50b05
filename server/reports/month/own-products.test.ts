import { expect, test } from 'vitest';
import { isReleaseOf, isSame, matchProducts } from './own-products.ts';

const known = [
  'AlmaLinux 8',
  'AlmaLinux 9',
  'Debian 1',
  'Debian 12',
  'jammy-security',
  'Windows Server 2012',
  'Windows Server 2012 (Server Core installation)',
  'Windows Server 2012 R2',
];

test.each([
  ['AlmaLinux 9.4', ['AlmaLinux 9']],
  ['Debian 12', ['Debian 12']],
  ['Ubuntu 22.04', ['jammy-security']],
  ['Windows Server 2012', [known[5], known[6]]],
  ['Windows Server 2012 R2', ['Windows Server 2012 R2']],
  ['Slackware 15', []],
])('finds the products of a machine with %s', (release, names) => {
  const found = matchProducts([release], known, isReleaseOf);
  expect(found.names).toEqual(names);
  expect(found.unmatched).toEqual(names.length === 0 ? [release] : []);
});

test('finds chosen products in any case, and names those without a record', () => {
  expect(matchProducts(['debian 12', 'Debian 13'], known, isSame)).toEqual({
    names: ['Debian 12'],
    unmatched: ['Debian 13'],
    further: 0,
  });
});
