/** The rules for packages of RPM distributions, a case for each. */
import { expect, test } from 'vitest';
import type { PackageRecord } from './machine-fixes.ts';
import { type Fix, recordOf, shortly, verdict } from './testing/judged-machine.ts';

const alma = (...lines: string[]) => ['ID=almalinux', 'VERSION_ID=8.9', ...lines].join('\n');
const judged = (lines: readonly string[], fixes: readonly Fix[], more?: Partial<PackageRecord>) =>
  shortly(verdict(alma(...lines), recordOf(fixes, more)));

test('misses what is installed at a lower version', () => {
  const installed = ['bash 0:4.4.20-4.el8_6 x86_64 (none)', 'zlib 0:1.2.11-25.el8 x86_64 (none)'];
  expect(judged(installed, [{ name: 'bash', version: '4.4.20-5.el8' }])).toBe(
    'missing: bash 4.4.20-4.el8_6 → 4.4.20-5.el8',
  );
  expect(judged(installed, [{ name: 'zlib', version: '1.2.11-25.el8' }])).toBe('notMissing');
  expect(judged(installed, [{ name: 'curl', version: '9-1.el8' }])).toBe('notMissing');
});

test('keeps architectures apart, but for noarch', () => {
  const installed = [
    'glibc 0:2.28-1.el8 x86_64 (none)',
    'glibc 0:2.28-9.el8 i686 (none)',
    'tzdata 0:2022-1 noarch (none)',
  ];
  const fix = (name: string, architecture: string) => [
    { name, version: '2.28-5.el8', architecture },
  ];
  expect(judged(installed, fix('glibc', 'i686'))).toBe('notMissing');
  expect(judged(installed, fix('glibc', 'x86_64'))).toMatch(/^missing/);
  expect(judged(installed, fix('glibc', 'aarch64'))).toBe('notMissing');
  expect(judged(installed, fix('glibc', 'src'))).toBe('notMissing');
  expect(
    judged(installed, [{ name: 'tzdata', version: '2023-1', architecture: 'x86_64' }]),
  ).toMatch(/^missing/);
});

test('judges only the stream of a module that is installed', () => {
  const installed = ['nodejs 1:16.20.2-3.module_el8.8.0+3615 x86_64 nodejs:16:8080:63b34585'];
  const fix = { name: 'nodejs', version: '1:18.20.4-1.module_el8.10.0+3888' };
  expect(judged(installed, [{ ...fix, module: 'nodejs:18:8100:1' }])).toBe('notMissing');
  expect(judged(installed, [{ ...fix, module: 'nodejs:16:8100:1' }])).toMatch(/^missing/);
  expect(judged(installed, [{ name: 'nodejs', version: '1:18.20.4-1.el8' }])).toBe('notMissing');
  expect(judged(['nodejs 1:10.24.0-1.el8 x86_64 (none)'], [{ ...fix, module: 'nodejs:18' }])).toBe(
    'notMissing',
  );
});

test('is uncertain where record or inventory names no stream', () => {
  const version = '1:18.20.4-1.module_el8.10.0+3888';
  expect(
    judged(
      ['nodejs 1:16.20.2-3.module_el8.8.0+3615 x86_64 nodejs:16:1:1'],
      [{ name: 'nodejs', version }],
    ),
  ).toMatch(/^uncertain recordWithoutStream/);
  expect(
    judged(
      ['nodejs-16.20.2-3.module_el8.8.0+3615.x86_64'],
      [{ name: 'nodejs', version, module: 'nodejs:16' }],
    ),
  ).toMatch(/^uncertain inventoryWithoutModules/);
});

test('compares epochs, and goes without where the inventory leaves them out', () => {
  const fix = [{ name: 'openssl', version: '1:1.1.1k-12.el8_9' }];
  expect(judged(['openssl 0:9.9-1.el8 x86_64 (none)'], fix)).toMatch(/^missing/);
  expect(judged(['openssl 1:1.1.1k-9.el8_7 x86_64 (none)'], fix)).toMatch(/^missing/);
  expect(judged(['openssl-1.1.1k-9.el8_7.x86_64'], fix)).toMatch(/^missing/);
  expect(judged(['openssl-1.1.1k-12.el8_9.x86_64'], fix)).toBe('notMissing');
});

test('compares CentOS without epochs, which its records never have', () => {
  const inventory = 'CentOS Linux release 7.7.1908 (Core)\nbind 32:9.11.4-9.el7 x86_64 (none)';
  expect(
    shortly(verdict(inventory, recordOf([{ name: 'bind', version: '9.11.4-26.el7' }]))),
  ).toMatch(/^missing/);
  expect(shortly(verdict(inventory, recordOf([{ name: 'bind', version: '9.11.4-9.el7' }])))).toBe(
    'notMissing',
  );
});

test('compares ksplice and FIPS builds of Oracle with their like only', () => {
  const plain = ['glibc 0:2.28-251.el8 x86_64 (none)', 'gnutls 0:3.6.16-8.el8_9.3 x86_64 (none)'];
  const ksplice = { name: 'glibc', version: '2:2.28-252.ksplice1.el8' };
  const fips = { name: 'gnutls', version: '10:3.6.16-8.el8_fips' };
  expect(judged(plain, [ksplice, fips])).toBe('notMissing');
  expect(judged(['glibc 2:2.28-72.0.1.ksplice1.el8 x86_64 (none)'], [ksplice])).toMatch(/^missing/);
  expect(judged(['gnutls 10:3.6.16-4.el8_fips x86_64 (none)'], [fips])).toMatch(/^missing/);
});

test('judges the newest of several kernels', () => {
  const kernels = [
    'kernel-core 0:4.18.0-477.27.1.el8_8 x86_64 (none)',
    'kernel-core 0:4.18.0-553.22.1.el8_10 x86_64 (none)',
  ];
  expect(judged(kernels, [{ name: 'kernel-core', version: '4.18.0-513.el8_9' }])).toBe(
    'notMissing',
  );
  expect(judged(kernels, [{ name: 'kernel-core', version: '4.18.0-553.40.1.el8_10' }])).toBe(
    'missing: kernel-core 4.18.0-553.22.1.el8_10 → 4.18.0-553.40.1.el8_10',
  );
});

test('keeps the lines of UEK apart from each other', () => {
  const both = [
    'kernel-uek 0:5.4.17-2136.el8uek x86_64 (none)',
    'kernel-uek 0:5.15.0-200.el8uek x86_64 (none)',
  ];
  const old = [{ name: 'kernel-uek', version: '5.4.17-2137.el8uek' }];
  const recent = [{ name: 'kernel-uek', version: '5.15.0-300.el8uek' }];
  expect(judged(both.slice(0, 1), old)).toMatch(/^missing/);
  expect(judged(both.slice(0, 1), recent)).toBe('notMissing');
  expect(judged(both, recent)).toMatch(/^missing: kernel-uek 5.15.0/);
  expect(judged(both, old)).toBe('notMissing');
  expect(judged(['5.4.17-2136.el8uek.x86_64', ...both], old)).toMatch(
    /^missing: kernel-uek 5.4.17/,
  );
});

test('names each package once, with its highest fix', () => {
  const fixes = ['4.4.20-5.el8', '4.4.20-7.el8', '4.4.20-6.el8'].map((version) => ({
    name: 'bash',
    version,
  }));
  expect(judged(['bash 0:4.4.20-4.el8_6 x86_64 (none)'], fixes)).toBe(
    'missing: bash 4.4.20-4.el8_6 → 4.4.20-7.el8',
  );
});

test('leaves out what the vendor retracted', () => {
  const fix = [{ name: 'bash', version: '9-1' }];
  expect(judged(['bash 0:1-1 x86_64 (none)'], fix, { retracted: true })).toBe(
    'notJudged retracted',
  );
});

test('orders prereleases and snapshots', () => {
  expect(judged(['a 0:1.0~rc1-1 x86_64 (none)'], [{ name: 'a', version: '1.0-1' }])).toMatch(
    /^missing/,
  );
  expect(judged(['a 0:1.0^git1-1 x86_64 (none)'], [{ name: 'a', version: '1.0-9' }])).toBe(
    'notMissing',
  );
});
