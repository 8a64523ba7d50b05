import { expect, test } from 'vitest';
import {
  binaryPackageNames,
  checksumTypeOf,
  errataCategoryOf,
  rpmVersion,
} from './errata-values.ts';

test.each([
  ['security', 'ALBA-2021:1', 'security'],
  ['bugfix', '', 'bugfix'],
  [' Bug Fix ', '', 'bugfix'],
  ['recommended', '', 'bugfix'],
  ['TYPE_BUGFIX', '', 'bugfix'],
  ['newpackage', '', 'enhancement'],
  ['Enhancement', '', 'enhancement'],
  ['Product Enhancement Advisory', 'CESA-2021:1', 'enhancement'],
  ['Security Advisory', '', 'security'],
  ['custom_type', 'ALSA-2021:1', 'other'],
  ['constructor', '', 'other'],
  [null, 'ALSA-2021:1', 'security'],
  ['', 'RHBA-2021:1', 'bugfix'],
  [undefined, 'ELEA-2021-1', 'enhancement'],
  [null, 'openSUSE-2021-1', 'other'],
])('type %s of %s is %s', (type, id, category) => {
  expect(errataCategoryOf(type, id)).toBe(category);
});

test('a version has its epoch when it has one', () => {
  expect(rpmVersion('0', '2.9.7', '18.el8')).toBe('2.9.7-18.el8');
  expect(rpmVersion(null, '2.9.7', '18.el8')).toBe('2.9.7-18.el8');
  expect(rpmVersion('32', '9.11', '1.el8')).toBe('32:9.11-1.el8');
  expect(rpmVersion('1', '9.11', null)).toBe('1:9.11');
  expect(rpmVersion('1', null, '1.el8')).toBeNull();
});

test('the kind of a checksum', () => {
  const sum = 'a'.repeat(64);
  expect(checksumTypeOf('sha256', sum)).toBe('sha256');
  expect(checksumTypeOf('SHA', 'a'.repeat(40))).toBe('sha1');
  expect(checksumTypeOf('5', sum)).toBe('sha256');
  expect(checksumTypeOf(null, 'a'.repeat(32))).toBe('md5');
  expect(checksumTypeOf(null, 'short')).toBeNull();
  expect(checksumTypeOf(null, null)).toBeNull();
});

const built = (name: string, source: string | null) => ({
  name,
  sourcePackage: source && `${source}-1.0-1.el8.src.rpm`,
});

test('the package that the title speaks of comes first', () => {
  const packages = [
    built('python3-libxml2', 'libxml2'),
    built('libxml2', 'libxml2'),
    built('libxml2-devel', 'libxml2'),
    built('libxml2', 'libxml2'),
  ];
  expect(binaryPackageNames('Moderate: libxml2 security update', packages)).toEqual([
    'libxml2',
    'libxml2-devel',
    'python3-libxml2',
  ]);
});

test('finds a source package, or one of its streams, in a title as a whole word in any case', () => {
  const kernels = [
    built('bpftool', 'kernel'),
    built('kernel', 'kernel'),
    built('kernel-rt', 'kernel-rt'),
  ];
  expect(binaryPackageNames('Important: kernel-rt security update', kernels)).toEqual([
    'kernel-rt',
    'bpftool',
    'kernel',
  ]);
  expect(binaryPackageNames('Important: Kernel security update', kernels)).toEqual([
    'kernel',
    'bpftool',
    'kernel-rt',
  ]);
  const postgresql = [built('pgaudit', 'pgaudit'), built('postgresql', 'postgresql')];
  expect(binaryPackageNames('Important: postgresql:16 security update', postgresql)).toEqual([
    'postgresql',
    'pgaudit',
  ]);
});

test('a source package without a binary of its name is stood for by its first one', () => {
  const packages = [built('a-tool', 'other'), built('z-libs', 'zed'), built('z-devel', 'zed')];
  expect(binaryPackageNames('Low: zed update', packages)).toEqual(['z-devel', 'a-tool', 'z-libs']);
});

test('without a hint the names are in order', () => {
  const packages = [built('b', null), built('a', 'x'), built('B', null)];
  expect(binaryPackageNames('Low: something else', packages)).toEqual(['B', 'a', 'b']);
  expect(binaryPackageNames(null, packages)).toEqual(['B', 'a', 'b']);
  expect(binaryPackageNames('Low', [])).toEqual([]);
});
