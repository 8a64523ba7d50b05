/** Kernels of Debian and Ubuntu whose names have other forms: the newest decides, and its metapackage brings the fix. */
import { expect, test } from 'vitest';
import { readInventory } from '../inventory/read-inventory.ts';
import { kernelStem } from './kernel-stem.ts';
import {
  buildRecord,
  type Fix,
  formatVerdict,
  judgeItems,
  verdict,
} from './testing/judged-machine.ts';

test.each([
  ['linux-image-5.10.0-8-amd64', 'linux-image-5.10.0-#-amd64'],
  ['linux-image-6.12.38+deb13-amd64', 'linux-image-6.12-#-amd64'],
  ['linux-image-6.12.9+bpo-cloud-amd64', 'linux-image-6.12-#-cloud-amd64'],
  ['linux-kbuild-6.12.38+deb13', 'linux-kbuild-6.12-#'],
  ['linux-image-5.10.0-0.bpo.7-amd64', 'linux-image-5.10.0-#-amd64'],
  ['linux-image-6.1.0-0.deb11.13-amd64', 'linux-image-6.1.0-#-amd64'],
  ['linux-hwe-6.8-headers-6.8.0-40', 'linux-hwe-6.8-headers-6.8.0-#'],
  ['linux-oem-6.5-tools-6.5.0-1015', 'linux-oem-6.5-tools-6.5.0-#'],
  [
    'linux-modules-nvidia-535-server-6.8.0-40-generic',
    'linux-modules-nvidia-535-server-6.8.0-#-generic',
  ],
  ['linux-image-amd64', null],
  ['linux-image-generic-hwe-22.04', null],
  ['linux-libc-dev', null],
  ['linux-compiler-gcc-12-x86', null],
])('reads the name of %s', (name, stem) => {
  expect(kernelStem(name)).toBe(stem);
});

const debian = (release: string, ...lines: readonly string[]) =>
  [`ID=debian\nVERSION_ID="${release}"`, ...lines].join('\n');
const signed = (name: string, version: string, source = 'linux-signed-amd64') =>
  `${name} ${version} amd64 ii  ${source} ${version.replace('-', '+')}`;
const trixie = debian(
  '13',
  signed('linux-image-6.12.38+deb13-amd64', '6.12.38-1'),
  signed('linux-image-6.12.41+deb13-amd64', '6.12.41-1'),
  'linux-headers-6.12.41+deb13-common 6.12.41-1 all ii  linux 6.12.41-1',
);
const bullseye = debian(
  '11',
  signed('linux-image-6.1.0-0.deb11.13-amd64', '6.1.55-1~deb11u1', 'linux-signed-6.1-amd64'),
  signed('linux-image-6.1.0-0.deb11.21-amd64', '6.1.90-1~deb11u1', 'linux-signed-6.1-amd64'),
);
const jammy = [
  'ID=ubuntu\nVERSION_ID="22.04"',
  'linux-image-6.8.0-39-generic 6.8.0-39.39~22.04.1 amd64 ii  linux-signed-hwe-6.8 6.8.0-39.39~22.04.1',
  'linux-hwe-6.8-headers-6.8.0-39 6.8.0-39.39~22.04.1 all ii  linux-hwe-6.8 6.8.0-39.39~22.04.1',
  'linux-hwe-6.8-headers-6.8.0-40 6.8.0-40.40~22.04.3 all ii  linux-hwe-6.8 6.8.0-40.40~22.04.3',
  'linux-headers-6.8.0-40-generic 6.8.0-40.40~22.04.3 amd64 ii  linux-hwe-6.8 6.8.0-40.40~22.04.3',
].join('\n');
const source = (name: string, version: string): Fix => ({ by: 'source', name, version });

test.each([
  [trixie, source('linux', '6.12.41-1')],
  [
    debian(
      '13',
      'linux-image-6.12.38+deb13-amd64\t6.12.38-1',
      'linux-image-6.12.41+deb13-amd64\t6.12.41-1',
    ),
    { name: 'linux-image-6.12.41+deb13-amd64', version: '6.12.41-1' },
  ],
  [bullseye, source('linux-6.1', '6.1.90-1~deb11u1')],
  [jammy, source('linux-hwe-6.8', '6.8.0-40.40~22.04.3')],
])('misses no fix of the newest kernel for an older one beside it', (inventory, fix) => {
  const record = buildRecord([fix]);
  expect(formatVerdict(verdict(inventory, record))).toBe('notMissing');
  const { items } = judgeItems(readInventory(inventory).machine, [record]);
  expect(new Set(items.map(({ verdict: { kind } }) => kind))).not.toContain('missing');
});

// The metapackages of Debian 13 and Ubuntu 22.04, as packages.debian.org and packages.ubuntu.com name them.
test.each([
  [
    trixie,
    source('linux', '6.12.43-1'),
    [
      'linux-headers-6.12.41+deb13-common: null',
      'linux-image-6.12.41+deb13-amd64: linux-image-amd64',
    ],
  ],
  [
    bullseye,
    source('linux-6.1', '6.1.106-3~deb11u1'),
    ['linux-image-6.1.0-0.deb11.21-amd64: linux-image-6.1-amd64'],
  ],
  [
    jammy,
    source('linux-hwe-6.8', '6.8.0-45.45~22.04.1'),
    ['linux-headers-6.8.0-40-generic: null', 'linux-hwe-6.8-headers-6.8.0-40: null'],
  ],
  [
    `${jammy}\nlinux-headers-generic-hwe-22.04 6.8.0-40.40~22.04.3 amd64 ii  linux-meta-hwe-6.8 6.8.0-40.40~22.04.3\nlinux-headers-generic 5.15.0.91.88 amd64 ii  linux-meta 5.15.0.91.88`,
    source('linux-hwe-6.8', '6.8.0-45.45~22.04.1'),
    [
      'linux-headers-6.8.0-40-generic: linux-headers-generic-hwe-22.04',
      'linux-hwe-6.8-headers-6.8.0-40: null',
    ],
  ],
])('installs the metapackage of the newest kernel', (inventory, fix, expected) => {
  const found = verdict(inventory, buildRecord([fix]));
  const evidence = found.kind === 'missing' ? found.evidence : [];
  const packages = evidence.map(({ name, install }) => `${name}: ${install?.name ?? null}`);
  expect(packages.toSorted()).toEqual(expected);
});
