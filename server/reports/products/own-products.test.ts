import { expect, test } from 'vitest';
import { matchProducts, toChosen, toReported } from './own-products.ts';

const known = [
  'AlmaLinux 8',
  'AlmaLinux 9',
  'Debian 1',
  'Debian 12',
  'jammy-security',
  'Windows Server 2012',
  'Windows Server 2012 (Server Core installation)',
  'Windows Server 2012 R2',
  'Windows Server 2019',
  'Windows Server 2019 (Server Core installation)',
  'Windows 10 Version 1809 for x64-based Systems',
  'Windows 10 Version 1809 for 32-bit Systems',
];
const [core, desktop] = [known.slice(8, 10), known.slice(10, 11)];

test.each([
  ['AlmaLinux 9.4', ['AlmaLinux 9']],
  ['Debian 12', ['Debian 12']],
  ['Ubuntu 22.04', ['jammy-security']],
  ['Windows Server 2012', [known[5], known[6]]],
  ['Windows Server 2012 R2', ['Windows Server 2012 R2']],
  ['Slackware 15', []],
])('finds the products of a machine with %s', (release, names) => {
  const found = matchProducts([toReported({ release, build: null, architecture: null })], known);
  expect(found.names).toEqual(names);
  expect(found.unmatched).toEqual(names.length === 0 ? [release] : []);
});

test.each([
  ['Microsoft Windows Server 2019 Standard', '10.0.17763', core],
  ['Майкрософт Windows Server 2019 Datacenter', '10.0.17763', core],
  ['Microsoft Windows 10 Pro', '10.0.17763', desktop],
  ['Microsoft Windows 11 Pro', '10.0.22631', []],
  ['Microsoft Windows 10 Pro', '10.0.99999', []],
])('finds the products of Windows by its build: %s %s', (release, build, names) => {
  const wanted = toReported({ release, build, architecture: 'x86_64' });
  expect(matchProducts([wanted, wanted], known)).toEqual({
    names,
    unmatched: names.length === 0 ? [release] : [],
    further: 0,
  });
});

test('finds chosen products in any case, and names those without a record', () => {
  expect(matchProducts(['debian 12', 'Debian 13'].map(toChosen), known)).toEqual({
    names: ['Debian 12'],
    unmatched: ['Debian 13'],
    further: 0,
  });
});
