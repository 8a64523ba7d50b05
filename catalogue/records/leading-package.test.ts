/** The package that names an advisory's fix, on the shapes of each vendor's advisories. */
import { expect, it } from 'vitest';
import { getList, type ListKey } from '../lists.ts';
import { fixedIn, leadingPackage } from './fixed-in.ts';

it.each([
  ['kernel security update', ['bpftool', 'kernel', 'kernel-core', 'perf'], 'kernel'],
  ['Important: kernel-rt security update', ['kernel-rt', 'kernel', 'kernel-rt-core'], 'kernel-rt'],
  [
    'Unbreakable Enterprise kernel security update',
    [
      'bpftool',
      'kernel-uek',
      'kernel-uek-container',
      'kernel-uek-core',
      'kernel-uek-container-debug',
    ],
    'kernel-uek',
  ],
  [
    'Security update for the Linux Kernel',
    [
      'cluster-md-kmp-64kb',
      'cluster-md-kmp-default',
      'dtb-al',
      'kernel-64kb',
      'kernel-64kb-devel',
      'kernel-default',
      'kernel-default-base',
      'kernel-default-devel',
      'kernel-docs',
    ],
    'kernel-default',
  ],
  [
    'Security update for the Linux Kernel',
    [
      'cluster-md-kmp-azure',
      'gfs2-kmp-azure',
      'kernel-azure',
      'kernel-azure-devel',
      'kernel-azure-extra',
      'kernel-devel-azure',
      'kernel-source-azure',
      'kernel-syms-azure',
    ],
    'kernel-azure',
  ],
  [
    'Security update for the Linux Kernel RT',
    ['cluster-md-kmp-rt', 'kernel-devel-rt', 'kernel-rt', 'kernel-rt-devel', 'kernel-source-rt'],
    'kernel-rt',
  ],
  [
    'glibc security update',
    ['compat-libpthread-nonshared', 'glibc', 'glibc-common', 'nscd'],
    'glibc',
  ],
  [
    'Security update for openssl-1_0_0',
    ['libopenssl-1_0_0-devel', 'libopenssl1_0_0', 'openssl-1_0_0', 'openssl-1_0_0-doc'],
    'openssl-1_0_0',
  ],
  ['Security update for polkit', ['libpolkit0', 'polkit', 'polkit-devel'], 'polkit'],
  [
    'Security update for MozillaFirefox',
    ['MozillaFirefox-devel', 'MozillaFirefox'],
    'MozillaFirefox',
  ],
  [
    'Moderate: java-11-openjdk security update',
    ['java-11-openjdk-demo', 'java-11-openjdk', 'java-11-openjdk-devel'],
    'java-11-openjdk',
  ],
  [
    'Important: nodejs:20 security update',
    ['nodejs-nodemon', 'nodejs-packaging', 'nodejs', 'npm'],
    'nodejs',
  ],
  ['Important CentOS kernel Security Update', ['kernel-PAE', 'kernel', 'perf'], 'kernel'],
  // Without a name in the title, the package on which others build.
  ['Recommended update', ['libfoo1', 'foo', 'foo-devel', 'foo-doc'], 'foo'],
  [null, ['alone'], 'alone'],
  [null, [], undefined],
])('leads "%s" of %j with %s', (title, names, expected) => {
  expect(leadingPackage(title, names)).toBe(expected);
  expect(leadingPackage(title, names.toReversed())).toBe(expected);
});

const format = (list: ListKey, title: string, detail: object, release: string | null = null) =>
  fixedIn(getList(list), { title }, { ...detail }, release);
const rpm = (name: string, version: string, sourcePackage: string | null = null) => ({
  name,
  version,
  sourcePackage,
});

it('names the package of the title with its own version', () => {
  const packages = [rpm('bpftool', '7.3.0-427.el9'), rpm('kernel', '5.14.0-427.el9')];
  expect(format('oracle_linux_patch', 'kernel security update', { packages })).toBe(
    'kernel-5.14.0-427.el9',
  );
});

it('names the source of the package of the title', () => {
  const packages = [
    rpm('nodejs-nodemon', '3.0.1-1.el9', 'nodejs-nodemon-3.0.1-1.el9.src.rpm'),
    rpm('nodejs', '1:20.18.2-1.el9', 'nodejs-20.18.2-1.el9.src.rpm'),
  ];
  expect(format('almalinux_patch', 'Important: nodejs:20 security update', { packages })).toBe(
    'nodejs-20.18.2-1.el9',
  );
  const libraries = [rpm('libpolkit0', '0.116-3.1', 'polkit-0.116-3.1.src.rpm')];
  expect(format('opensuse_patch', 'Security update for polkit', { packages: libraries })).toBe(
    'polkit-0.116-3.1',
  );
});

it('names no fix where the packages have no version', () => {
  const packages = [{ name: 'candle', version: null }];
  expect(format('almalinux_patch', 'candle: heap overflow', { packages })).toBeNull();
});

it('names the source of a notice that its title names', () => {
  const source = (name: string, osVersion = 'Ubuntu 22.04 LTS') => ({
    name,
    version: '5.15.0-91.101',
    osVersion,
    is_source: true,
  });
  const releasePackages = [source('linux-aws'), source('linux'), source('linux-gcp')];
  const linux = 'Linux kernel vulnerabilities';
  expect(format('linux_notice', linux, { releasePackages }, 'Ubuntu 22.04 LTS')).toBe(
    'linux 5.15.0-91.101',
  );
});

it.each([
  [['26.01', '26.02'], '7-Zip x64 msi 26.02'],
  [['26.01'], '26.02'],
])(
  'names the package of an application that has the version of the record: %j',
  (versions, named) => {
    const releasePackages = versions.map((version) => ({ name: '7-Zip x64 msi', version }));
    const row = { title: '7-Zip', version: '26.02' };
    expect(fixedIn(getList('thirdparty_patch'), row, { ...row, releasePackages }, null)).toBe(
      named,
    );
  },
);
