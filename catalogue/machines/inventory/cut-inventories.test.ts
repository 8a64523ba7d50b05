/** Rows that a screen, a window or a copy cut: never read as if they were whole. */
import { expect, it } from 'vitest';
import { readInventory } from './read-inventory.ts';

const packagesOf = (...lines: readonly string[]) =>
  readInventory(lines.join('\n')).machine.packages;

it.each([
  ['14 and 14', 'ii  openssh-server 1:8.4p1-5+deb1 amd64        secure shell (SSH)', true],
  // Before dpkg 1.19 versions had two letters less than names.
  ['14 and 12', 'ii  openssh-server 1:8.4p1-5+de amd64        secure shell (SSH)', true],
  ['14 and 12', 'ii  libpam-modules 1.4.0-9      amd64        pluggable modules', true],
  ['14 and 12', 'ii  adduser        3.118        all          add and remove users', undefined],
  ['14 and 12', 'ii  passwd         1:4.8.1-1    amd64        change passwords', undefined],
])('notices names and versions that fill columns of %s letters: %s', (_, row, cut) => {
  expect(packagesOf('ID=debian', 'VERSION_ID=11', row, '').map((one) => one.cut)).toEqual([cut]);
});

it('takes a list that is as wide as its longest name for whole', () => {
  const row = (name: string, version: string) =>
    `ii  ${name.padEnd(33)} ${version.padEnd(31)} amd64        description`;
  const rows = [row('x'.repeat(33), '1.0-1'), row('librtmp1', `2.4+${'1'.repeat(27)}`)];
  expect(packagesOf('ID=debian', 'VERSION_ID=11', ...rows, '').map((one) => one.cut)).toEqual([
    undefined,
    undefined,
  ]);
});

const alma = ['ID=almalinux', 'VERSION_ID=8.9', 'bash-4.4.20-4.el8_6.x86_64'];

it.each(['x86_6', 'noarc', 'aarch6', 'i68'])('takes a row that ends with .%s for cut', (end) => {
  const [, last] = packagesOf(...alma, `openssl-1.1.1k-9.el8_7.${end}`);
  expect(last).toMatchObject({ name: 'openssl', version: '1.1.1k-9.el8_7', cut: true });
});

it('takes the last row for cut where the text ends without the architecture that other rows have', () => {
  expect(packagesOf(...alma, 'kernel-4.18.0-513.5').at(-1)).toMatchObject({ cut: true });
  expect(packagesOf(...alma, 'kernel-4.18.0-513.5', '').at(-1)?.cut).toBeUndefined();
  const without = ['ID=almalinux', 'VERSION_ID=8.9', 'bash-4.4.20-4.el8_6', 'kernel-4.18.0-513.5'];
  expect(packagesOf(...without).at(-1)?.cut).toBeUndefined();
});

it('counts a hotfix whose number is cut among those that the list lacks', () => {
  const { machine, troubles, unreadable, unreadableLines } = readInventory(
    ['HotFixID   InstalledOn', 'KB5029928  9/12/2023', 'KB50302', 'KB5030999  9/13/2023', ''].join(
      '\n',
    ),
  );
  expect(machine.kbs).toEqual(['5029928', '5030999']);
  expect(machine.unlistedKbs).toBe(1);
  expect(troubles.toSorted()).toEqual(['cutOff', 'unlistedHotfixes']);
  expect(unreadable).toMatchObject([{ line: 3, text: 'KB50302' }]);
  expect(unreadableLines).toBe(1);
});

it.each([
  ['Hotfix(s):      48 Hotfix(s) Installed.', 48],
  ['Исправление(я): 7 исправлений установлено.', 7],
  ['Hotfix(s):      N/A', undefined],
])('compares the count of "%s" with a list that is not there', (line, unlisted) => {
  const text = [
    'OS Name:        Microsoft Windows Server 2022 Standard',
    'OS Version:     10.0.20348 N/A Build 20348',
    'Processor(s):   1 Processor(s) Installed.',
    '                [01]: Intel64 Family 6',
    line,
    'Network Card(s): 1 NIC(s) Installed.',
    '                [01]: Intel(R) Ethernet',
    '',
  ].join('\n');
  expect(readInventory(text).machine.unlistedKbs).toBe(unlisted);
});
