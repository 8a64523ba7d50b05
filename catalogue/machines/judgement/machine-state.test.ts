/** Tests Macs, applications, running kernels, and releases with their ends of support. */
import { expect, test } from 'vitest';
import { readInventory } from '../inventory/read-inventory.ts';
import { InstalledApplications, judgeApplication } from './application-judgement.ts';
import { cataloguedRelease } from './catalogued-release.ts';
import type { ApplicationRelease } from './machine-fixes.ts';
import { judgeMacRelease } from './macos-judgement.ts';
import { rebootPending } from './reboot-pending.ts';

test.each([
  ['14.8.6', '23J500', 'missing'],
  ['14.8.5', '23J423', 'notMissing'],
  ['14.8.5', '23J424', 'missing'],
  ['14.8.5', '23J423a', 'missing'],
  ['14.8.5', '23I999', 'notMissing'],
  ['14.8.5', '23J2200', 'notMissing'],
  ['14.8.5', null, 'notMissing'],
  ['14.10', null, 'missing'],
  ['14.8', null, 'notMissing'],
  ['15.7.5', '24G624', 'notMissing'],
  ['26.0', null, 'notMissing'],
  ['beta', null, 'notJudged'],
  [null, null, 'notJudged'],
])('judges macOS 14.8.5 beside %s (%s) as %s', (version, build, kind) => {
  const machine = { release: '14.8.5', build: '23J423' };
  expect(judgeMacRelease({ key: 'one', version, build }, machine).kind).toBe(kind);
});

test('treats 10.14 and 10.15 as different major versions', () => {
  const machine = { release: '10.14.6', build: null };
  const release = (version: string) => ({ key: 'one', version, build: null });
  expect(judgeMacRelease(release('10.15.7'), machine).kind).toBe('notMissing');
  expect(judgeMacRelease(release('10.14.7'), machine).kind).toBe('missing');
});

const release = (more: Partial<ApplicationRelease>): ApplicationRelease => ({
  key: 'one',
  name: 'Example',
  identifier: null,
  productCodes: [],
  version: '2.0',
  ...more,
});

test('finds an application by product code, by identifier and by name', () => {
  const installed = new InstalledApplications([
    { name: '7-Zip 23.01 (x64)', identifier: 'ARP\\Machine\\X64\\7-Zip', version: '23.01' },
    { name: 'Git', identifier: 'Git.Git', version: '2.40.1' },
    { name: 'Tool', identifier: 'ARP\\Machine\\X64\\{A1B2}', version: '1.0' },
    { name: 'Odd', identifier: null, version: 'stable' },
  ]);
  const judgeKind = (of: Partial<ApplicationRelease>) =>
    judgeApplication(release(of), installed).kind;
  expect(judgeKind({ name: '7-Zip', version: '24.09' })).toBe('missing');
  expect(judgeKind({ name: '7-Zip', version: '23.1' })).toBe('notMissing');
  expect(judgeKind({ identifier: 'git.git', version: '2.43.0' })).toBe('missing');
  expect(judgeKind({ productCodes: ['{a1b2}'], version: '1.0.1' })).toBe('missing');
  expect(judgeKind({ name: 'Odd' })).toBe('notJudged');
  expect(judgeKind({ name: 'Other' })).toBe('notMissing');
  expect(judgeKind({ name: 'constructor' })).toBe('notMissing');
});

test.each([
  [
    '4.18.0-477.27.1.el8_8.x86_64',
    ['kernel-core-4.18.0-477.27.1.el8_8.x86_64', 'kernel-core-4.18.0-553.el8_10.x86_64'],
    true,
  ],
  [
    '4.18.0-553.el8_10.x86_64',
    ['kernel-core-4.18.0-477.27.1.el8_8.x86_64', 'kernel-core-4.18.0-553.el8_10.x86_64'],
    false,
  ],
  [
    '5.4.17-2136.el8uek.x86_64',
    ['kernel-5.99-1.el8.x86_64', 'kernel-uek-5.4.17-2136.el8uek.x86_64'],
    false,
  ],
  ['5.4.17-2136.el8uek.x86_64', ['kernel-uek-5.15.0-1.el8uek.x86_64'], true],
  ['5.3.18-150300.59.49-default', ['kernel-default-5.3.18-150300.59.49.1.x86_64'], false],
  ['5.3.18-150300.59.49-default', ['kernel-default-5.3.18-150300.59.93.1.x86_64'], true],
  ['4.18.0-553.el8_10.x86_64', ['bash-4.4-1.el8.x86_64'], null],
  [
    '5.10.0-8-amd64',
    ['linux-image-5.10.0-8-amd64\t5.10.46-4', 'linux-image-5.10.0-10-amd64\t5.10.84-1'],
    true,
  ],
  [
    '5.10.0-10-amd64',
    ['linux-image-5.10.0-8-amd64\t5.10.46-4', 'linux-image-5.10.0-10-amd64\t5.10.84-1'],
    false,
  ],
  [
    '5.15.0-69-generic',
    ['linux-image-5.15.0-69-generic\t1', 'linux-image-5.15.0-99-lowlatency\t1'],
    false,
  ],
  ['5.15.0-69-generic', ['bash\t5.1'], null],
])('reports with %s running and %j installed a pending reboot: %s', (kernel, packages, pending) => {
  const { machine } = readInventory([kernel, ...packages].join('\n'));
  expect(machine.kernel).toBe(kernel);
  expect(rebootPending(machine)).toBe(pending);
});

test.each([
  ['almalinux', '8.9', ['AlmaLinux 8']],
  ['ol', '7.9', ['Oracle Linux 7']],
  ['opensuse-leap', '15.5', ['openSUSE Leap 15.5']],
  ['ubuntu', '22.04', ['Ubuntu 22.04']],
  ['debian', '11', ['Debian 11']],
  ['pardus', '23.1', ['Pardus 23', 'Pardus 23 deb', 'Pardus 23 guvenlik']],
  ['gentoo', '2.15', undefined],
  ['constructor', '1', undefined],
  ['debian', 'sid', undefined],
])('finds %s %s in the catalogue as %j', (distribution, version, names) => {
  expect(cataloguedRelease({ distribution, release: version })?.names).toEqual(names);
});
