import { expect, test } from 'vitest';
import {
  formatRpmVersion,
  listBinaryPackageNames,
  toChecksumType,
  toErrataCategory,
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
])('maps type %s of %s to %s', (type, id, category) => {
  expect(toErrataCategory(type, id)).toBe(category);
});

test('writes the epoch only when it is not 0', () => {
  expect(formatRpmVersion('0', '2.9.7', '18.el8')).toBe('2.9.7-18.el8');
  expect(formatRpmVersion(null, '2.9.7', '18.el8')).toBe('2.9.7-18.el8');
  expect(formatRpmVersion('32', '9.11', '1.el8')).toBe('32:9.11-1.el8');
  expect(formatRpmVersion('1', '9.11', null)).toBe('1:9.11');
  expect(formatRpmVersion('1', null, '1.el8')).toBeNull();
});

test('takes the checksum type from its word, else from the length', () => {
  const sum = 'a'.repeat(64);
  expect(toChecksumType('sha256', sum)).toBe('sha256');
  expect(toChecksumType('SHA', 'a'.repeat(40))).toBe('sha1');
  expect(toChecksumType('5', sum)).toBe('sha256');
  expect(toChecksumType(null, 'a'.repeat(32))).toBe('md5');
  expect(toChecksumType(null, 'short')).toBeNull();
  expect(toChecksumType(null, null)).toBeNull();
});

const built = (name: string, source: string | null) => ({
  name,
  sourcePackage: source && `${source}-1.0-1.el8.src.rpm`,
});

test('puts the package of the title first', () => {
  const packages = [
    built('python3-libxml2', 'libxml2'),
    built('libxml2', 'libxml2'),
    built('libxml2-devel', 'libxml2'),
    built('libxml2', 'libxml2'),
  ];
  expect(listBinaryPackageNames('Moderate: libxml2 security update', packages)).toEqual([
    'libxml2',
    'libxml2-devel',
    'python3-libxml2',
  ]);
});

test('finds a source package, or one of its streams, in a title as a separate word in any case', () => {
  const kernels = [
    built('bpftool', 'kernel'),
    built('kernel', 'kernel'),
    built('kernel-rt', 'kernel-rt'),
  ];
  expect(listBinaryPackageNames('Important: kernel-rt security update', kernels)).toEqual([
    'kernel-rt',
    'bpftool',
    'kernel',
  ]);
  expect(listBinaryPackageNames('Important: Kernel security update', kernels)).toEqual([
    'kernel',
    'bpftool',
    'kernel-rt',
  ]);
  const postgresql = [built('pgaudit', 'pgaudit'), built('postgresql', 'postgresql')];
  expect(listBinaryPackageNames('Important: postgresql:16 security update', postgresql)).toEqual([
    'postgresql',
    'pgaudit',
  ]);
});

test('takes the first binary of a source package that has none of its own name', () => {
  const packages = [built('a-tool', 'other'), built('z-libs', 'zed'), built('z-devel', 'zed')];
  expect(listBinaryPackageNames('Low: zed update', packages)).toEqual([
    'z-devel',
    'a-tool',
    'z-libs',
  ]);
});

test('sorts the names when the title names no package', () => {
  const packages = [built('b', null), built('a', 'x'), built('B', null)];
  expect(listBinaryPackageNames('Low: something else', packages)).toEqual(['B', 'a', 'b']);
  expect(listBinaryPackageNames(null, packages)).toEqual(['B', 'a', 'b']);
  expect(listBinaryPackageNames('Low', [])).toEqual([]);
});
