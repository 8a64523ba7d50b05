/** Rows that a screen, a window or a copy cut must never be read as complete. */
import { expect, it } from 'vitest';
import { readInventory } from './read-inventory.ts';

const readPackages = (...lines: readonly string[]) =>
  readInventory(lines.join('\n')).machine.packages;

it.each([
  ['14 and 14', 'ii  openssh-server 1:8.4p1-5+deb1 amd64        secure shell (SSH)', true],
  // Before dpkg 1.19 the version column was two letters narrower than the name column.
  ['14 and 12', 'ii  openssh-server 1:8.4p1-5+de amd64        secure shell (SSH)', true],
  ['14 and 12', 'ii  libpam-modules 1.4.0-9      amd64        pluggable modules', true],
  ['14 and 12', 'ii  adduser        3.118        all          add and remove users', undefined],
  ['14 and 12', 'ii  passwd         1:4.8.1-1    amd64        change passwords', undefined],
])('notices names and versions that fill columns of %s letters: %s', (_, row, cut) => {
  expect(readPackages('ID=debian', 'VERSION_ID=11', row, '').map((one) => one.cut)).toEqual([cut]);
});

it('reads a list as wide as its longest name as complete', () => {
  const row = (name: string, version: string) =>
    `ii  ${name.padEnd(33)} ${version.padEnd(31)} amd64        description`;
  const rows = [row('x'.repeat(33), '1.0-1'), row('librtmp1', `2.4+${'1'.repeat(27)}`)];
  expect(readPackages('ID=debian', 'VERSION_ID=11', ...rows, '').map((one) => one.cut)).toEqual([
    undefined,
    undefined,
  ]);
});

const alma = ['ID=almalinux', 'VERSION_ID=8.9', 'bash-4.4.20-4.el8_6.x86_64'];

it.each(['x86_6', 'noarc', 'aarch6', 'i68'])('marks a row that ends with .%s as cut', (end) => {
  const [, last] = readPackages(...alma, `openssl-1.1.1k-9.el8_7.${end}`);
  expect(last).toMatchObject({ name: 'openssl', version: '1.1.1k-9.el8_7', cut: true });
});

it('marks the last row as cut when it alone lacks the architecture', () => {
  expect(readPackages(...alma, 'kernel-4.18.0-513.5').at(-1)).toMatchObject({ cut: true });
  expect(readPackages(...alma, 'kernel-4.18.0-513.5', '').at(-1)?.cut).toBeUndefined();
  const without = ['ID=almalinux', 'VERSION_ID=8.9', 'bash-4.4.20-4.el8_6', 'kernel-4.18.0-513.5'];
  expect(readPackages(...without).at(-1)?.cut).toBeUndefined();
});

it('counts a hotfix with a cut number as unlisted', () => {
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
