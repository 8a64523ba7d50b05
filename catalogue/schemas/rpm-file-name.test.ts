import { expect, test } from 'vitest';
import {
  findSourceFileName,
  isSourcePackage,
  parseEnterpriseLinuxRelease,
  parseRpmFileName,
  type RpmFileName,
} from './rpm-file-name.ts';

test.each([
  [
    'bind-utils-32:9.11.4-26.P2.el7_9.x86_64.rpm',
    ['bind-utils', '32', '9.11.4', '26.P2.el7_9', 'x86_64'],
  ],
  ['kernel-3.4.59-8.el6.centos.alt.src.rpm', ['kernel', null, '3.4.59', '8.el6.centos.alt', 'src']],
  [
    ' Packages/o/oci-umount-2:2.3.4-2.git87f9237.module+el8.4.0+557+48ba8b2f.noarch.rpm',
    ['oci-umount', '2', '2.3.4', '2.git87f9237.module+el8.4.0+557+48ba8b2f', 'noarch'],
  ],
  [
    'java-1.8.0-openjdk-1:1.8.0.1-1.el8.i686',
    ['java-1.8.0-openjdk', '1', '1.8.0.1', '1.el8', 'i686'],
  ],
])('parses %s', (written, [name, epoch, version, release, architecture]) => {
  expect(parseRpmFileName(written)).toEqual({ name, epoch, version, release, architecture });
});

test('returns null for anything that is not a package file name', () => {
  for (const invalid of [
    'kernel',
    'a-1.rpm',
    'a b-1-1.x86_64.rpm',
    'http://host/',
    '',
    null,
    7,
    {},
  ])
    expect(parseRpmFileName(invalid)).toBeNull();
});

test('reads the Enterprise Linux release of a package', () => {
  expect(parseEnterpriseLinuxRelease('17.el8_10')).toBe('8');
  expect(parseEnterpriseLinuxRelease('1.module+el9.4.0+25730+e54ecc95')).toBe('9');
  expect(parseEnterpriseLinuxRelease('4.EL10')).toBe('10');
  for (const invalid of ['1.21as.6', '4', '1.rhel4', '3.el', '1.fc19'])
    expect(parseEnterpriseLinuxRelease(invalid)).toBeNull();
});

const parse = (file: string) => parseRpmFileName(file) as RpmFileName;

test('finds the source package of the same version and release', () => {
  const sources = ['a-1-1.el8.src.rpm', 'b-2-1.el8.src.rpm', 'b-2-2.el8.src.rpm'].map(parse);
  expect(findSourceFileName(parse('a-libs-0:1-1.el8.x86_64.rpm'), sources)).toBe(
    'a-1-1.el8.src.rpm',
  );
  expect(findSourceFileName(parse('b-0:2-2.el8.x86_64.rpm'), sources)).toBe('b-2-2.el8.src.rpm');
  expect(findSourceFileName(parse('c-0:3-1.el8.x86_64.rpm'), sources)).toBeNull();
  expect(findSourceFileName(parse('c-0:2-3.el8.x86_64.rpm'), sources)).toBeNull();
});

test('takes the longest matching name of several sources, and the only one of the release for another version', () => {
  const kernels = ['kernel-5-1.el8.src.rpm', 'kernel-rt-5-1.el8.src.rpm'].map(parse);
  expect(findSourceFileName(parse('kernel-rt-core-5-1.el8.x86_64.rpm'), kernels)).toBe(
    'kernel-rt-5-1.el8.src.rpm',
  );
  expect(findSourceFileName(parse('kernel-5-1.el8.x86_64.rpm'), kernels)).toBe(
    'kernel-5-1.el8.src.rpm',
  );
  expect(findSourceFileName(parse('perf-5-1.el8.x86_64.rpm'), kernels)).toBeNull();
  expect(findSourceFileName(parse('bpftool-7.3-1.el8.x86_64.rpm'), kernels.slice(0, 1))).toBe(
    'kernel-5-1.el8.src.rpm',
  );
});

test('recognises source packages by their architecture', () => {
  expect(
    ['src', 'nosrc', 'noarch', 'x86_64'].map((architecture) => isSourcePackage({ architecture })),
  ).toEqual([true, true, false, false]);
});
