/**
 * One small output of each format that Linux machines print. The formats were seen on real machines, except those marked "by its
 * documentation", which follow the tool's manual.
 */
import { expect, test } from 'vitest';
import type { InstalledPackage } from '../machine.ts';
import { KnownLines } from './known-lines.ts';
import { readInventory } from './read-inventory.ts';
import { packageWords, readAs } from './testing/read-as.ts';

test.each([
  ['bash-5.1.8-6.el9.x86_64', 'bash - 5.1.8-6.el9 x86_64'],
  ['bind-libs-32:9.11.4-26.P2.el7_9.x86_64', 'bind-libs 32 9.11.4-26.P2.el7_9 x86_64'],
  ['32:bind-libs-9.11.4-26.P2.el7_9.x86_64', 'bind-libs 32 9.11.4-26.P2.el7_9 x86_64'],
  ['bash-(none):5.1.8-6.el9.x86_64', 'bash 0 5.1.8-6.el9 x86_64'],
  ['bash 0:5.1.8-6.el9 x86_64', 'bash 0 5.1.8-6.el9 x86_64'],
  ['bash (none):5.1.8-6.el9 x86_64', 'bash 0 5.1.8-6.el9 x86_64'],
  ['bash 5.1.8-6.el9 x86_64', 'bash - 5.1.8-6.el9 x86_64'],
  ['bash (none) 5.1.8 6.el9 x86_64', 'bash 0 5.1.8-6.el9 x86_64'],
  ['bash 1 5.1.8 6.el9 x86_64', 'bash 1 5.1.8-6.el9 x86_64'],
  [
    'google-chrome-stable 0 120.0.6099.109 1 x86_64',
    'google-chrome-stable 0 120.0.6099.109-1 x86_64',
  ],
  ['bind-libs 9.11.36 16.el8_10 32 x86_64', 'bind-libs 32 9.11.36-16.el8_10 x86_64'],
  ['systemd 239 1.el8 (none) x86_64', 'systemd 0 239-1.el8 x86_64'],
  ['systemd 239 1.el8 0 x86_64', 'systemd 0 239-1.el8 x86_64'],
  ['systemd\t239\t1.el8\t\tx86_64', 'systemd 0 239-1.el8 x86_64'],
  ['less 590 150400.3.6.2 (none) x86_64', 'less 0 590-150400.3.6.2 x86_64'],
  ['firewalld-filesystem 0.9.11 1 0 noarch', 'firewalld-filesystem 0 0.9.11-1 noarch'],
  ['kmod 29 lp153.2.1 0 x86_64', 'kmod 0 29-lp153.2.1 x86_64'],
  ['bash\t\t5.1.8\t6.el9\tx86_64', 'bash 0 5.1.8-6.el9 x86_64'],
  ['bash 5.1.8 6.el9 x86_64', 'bash - 5.1.8-6.el9 x86_64'],
  ['bash,0:5.1.8-6.el9,x86_64', 'bash 0 5.1.8-6.el9 x86_64'],
  ['bash|0:5.1.8-6.el9|x86_64', 'bash 0 5.1.8-6.el9 x86_64'],
  ['"bash";"0:5.1.8-6.el9";"x86_64"', 'bash 0 5.1.8-6.el9 x86_64'],
  ['bash 5.1.8-6.el9.x86_64', 'bash - 5.1.8-6.el9 x86_64'],
  ['bash\t0:5.1.8-6.el9\tx86_64\t(none)', 'bash 0 5.1.8-6.el9 x86_64'],
  [
    'perl-Text-Tabs+Wrap-2013.0523-395.el8.noarch',
    'perl-Text-Tabs+Wrap - 2013.0523-395.el8 noarch',
  ],
  ['7zip-21.07-1.fc36~bootstrap^git1.i686', '7zip - 21.07-1.fc36~bootstrap^git1 i686'],
  // dnf list installed, by its documentation.
  ['bash.x86_64     5.1.8-6.el9     @baseos', 'bash 0 5.1.8-6.el9 x86_64'],
  ['bind-libs.x86_64     32:9.16.23-5.el9     @appstream', 'bind-libs 32 9.16.23-5.el9 x86_64'],
])('reads %s of rpm', (line, expected) => {
  expect(readAs('rpm', line).packages.map(packageWords)).toEqual([expected]);
});

test.each([
  // SUSE's less 590-150400.3.6.2, or 150400.3.6.2-0 with the epoch 590.
  'less 590 150400.3.6.2 0 x86_64',
  'vim-common 2 9.0 1 i386',
])('does not guess the order of the columns in "%s"', (line) => {
  const { machine, unreadable } = readInventory(line);
  expect(machine.packages).toEqual([]);
  expect(unreadable).toMatchObject([{ text: line, reason: expect.stringMatching(/epoch/) }]);
});

test.each([
  'bash-5.1.8-6.el9.x86_64                       Thu 14 Mar 2024 10:11:12 AM UTC',
  'bash-5.1.8-6.el9.x86_64                       Do 14 Mär 2024 10:11:12 CET',
  'bash-5.1.8-6.el9.x86_64                       Per 14 Mar 2024 10:11:12 +03',
])('reads "%s" of rpm -qa --last', (line) => {
  expect(readAs('rpm', `${line}\n`).packages.map(packageWords)).toEqual([
    'bash - 5.1.8-6.el9 x86_64',
  ]);
});

test('distinguishes "(none)" from missing module labels', () => {
  const { packages } = readAs(
    'rpm',
    [
      'nodejs 1:16.20.2-3.module_el8.8.0+3615+3543c705 x86_64 nodejs:16:8080020230825111344:63b34585',
      'bash 0:4.4.20-4.el8_6 x86_64 (none)',
      'zlib 0:1.2.11-25.el8 x86_64',
    ].join('\n'),
  );
  expect(packages.map(({ module }) => module)).toEqual([
    { kind: 'stream', name: 'nodejs', stream: '16' },
    { kind: 'none' },
    { kind: 'unstated' },
  ]);
});

test('skips keys and source packages', () => {
  const text = 'gpg-pubkey-8483c65d-5ccc5b19\nbash-5.1.8-6.el9.src\nbash-5.1.8-6.el9.x86_64';
  expect(readAs('rpm', text).packages).toHaveLength(1);
});

const debSource = ({ name, version, architecture, source, stateKnown }: InstalledPackage) =>
  [
    name,
    version,
    architecture ?? '-',
    source?.name ?? '-',
    source?.version ?? '-',
    stateKnown,
  ].join(' ');

test.each([
  ['bsdutils\t1:2.36.1-8', 'bsdutils 1:2.36.1-8 - - - false'],
  ['libc6:amd64\t2.31-13', 'libc6 2.31-13 amd64 - - false'],
  ['ii\t1.7-2', 'ii 1.7-2 - - - false'],
  [
    'bsdutils 1:2.36.1-8 amd64 ii  util-linux 2.36.1-8',
    'bsdutils 1:2.36.1-8 amd64 util-linux 2.36.1-8 true',
  ],
  [
    'ii \tbsdutils\t1:2.36.1-8\tamd64\tutil-linux\t2.36.1-8',
    'bsdutils 1:2.36.1-8 amd64 util-linux 2.36.1-8 true',
  ],
  [
    'dmsetup\t2:1.02.175-2.1\tamd64\tlvm2 (2.03.11-2.1)',
    'dmsetup 2:1.02.175-2.1 amd64 lvm2 2.03.11-2.1 false',
  ],
  ['bash\t5.1-2\tamd64\t', 'bash 5.1-2 amd64 - - false'],
  ['bash 5.1-2 install ok installed', 'bash 5.1-2 - - - true'],
  ['bash|5.1-2|amd64', 'bash 5.1-2 amd64 - - false'],
])('reads %s of dpkg-query', (line, expected) => {
  expect(readAs('dpkg-query', line).packages.map(debSource)).toEqual([expected]);
});

// Architectures that rpm has too.
test.each([
  [
    'gamma 1:2.0-1+deb12u1 i386 ii  gammasrc 1:2.0-1',
    'gamma 1:2.0-1+deb12u1 i386 gammasrc 1:2.0-1 true',
  ],
  ['gamma 2.0-1 s390x ii', 'gamma 2.0-1 s390x - - true'],
  ['ii\tgamma\t2.0\ti386\tgamma\t2.0', 'gamma 2.0 i386 gamma 2.0 true'],
  ['gamma 2.0 ii i386', 'gamma 2.0 i386 - - true'],
  ['gamma\t2.0-1\triscv64\tinstall ok installed', 'gamma 2.0-1 riscv64 - - true'],
  ['ID=debian\ngamma 2.0 gamma i386', 'gamma 2.0 i386 gamma - false'],
  ['ID=debian\ngamma\t2.0-1\ti386\tgammasrc\t', 'gamma 2.0-1 i386 gammasrc - false'],
  ['ID=debian\nrc 1.7-2 i386', 'rc 1.7-2 i386 - - false'],
  ['gamma 2.0-1 i386\nID=debian', 'gamma 2.0-1 i386 - - false'],
  ['gamma 2.0-1 i386', 'gamma 2.0-1 i386 - - false'],
])('reads "%s" of dpkg-query, not of rpm', (text, expected) => {
  const { machine, understood, troubles } = readInventory(`${text}\n`);
  expect(machine.packages.map(debSource)).toEqual([expected]);
  expect(machine.packages).toMatchObject([{ format: 'deb' }]);
  expect(understood.map(({ format }) => format)).not.toContain('rpm');
  expect(troubles).toEqual([]);
});

test.each([
  ['rc 1.7-2.el9 i386', 'rc - 1.7-2.el9 i386'],
  ['gamma (none):2.0-1 s390x', 'gamma 0 2.0-1 s390x'],
  ['gamma 2.0-1 s390x (none)', 'gamma - 2.0-1 s390x'],
  ['gamma 2.0-1 s390x gamma:8:2021:63b3', 'gamma - 2.0-1 s390x'],
  ['ID="sles"\ngamma 1:2.0-150400.3 s390x', 'gamma 1 2.0-150400.3 s390x'],
  [
    'gamma 2.0-150400.3 s390x\nbeta 1.0-1 noarch',
    'beta - 1.0-1 noarch',
    'gamma - 2.0-150400.3 s390x',
  ],
  ['gamma 2.0 150400.3 s390x', 'gamma - 2.0-150400.3 s390x'],
])('reads "%s" of rpm, not of dpkg', (text, ...expected) => {
  const { packages } = readInventory(`${text}\n`).machine;
  expect(packages.map(packageWords)).toEqual(expected);
  expect(new Set(packages.map(({ format }) => format))).toEqual(new Set(['rpm']));
});

test('reads a line of both formats anew for each machine', () => {
  const known = new KnownLines();
  const formats = ['ID=debian', 'ID="sles"', 'ID=debian'].map(
    (release) =>
      readInventory(`${release}\ngamma 2.0-1 s390x\n`, known).machine.packages[0]?.format,
  );
  expect(formats).toEqual(['deb', 'rpm', 'deb']);
});

test('skips packages that dpkg-query reports as not installed', () => {
  const text = [
    'rc \told\t1-1\tamd64',
    'old2 1-1 deinstall ok config-files',
    'hi \theld\t1-1\tamd64',
  ];
  const { packages } = readAs('dpkg-query', text.join('\n'));
  expect(packages.map(({ name }) => name)).toEqual(['held']);
});

test('decides by the distribution when a line has only a name and a version', () => {
  const line = 'bash 1:5.1-2';
  expect(readInventory(`ID=debian\n${line}`).machine.packages[0]).toMatchObject({
    format: 'deb',
    version: '1:5.1-2',
  });
  expect(readInventory(`ID="rocky"\n${line}`).machine.packages[0]).toMatchObject({
    format: 'rpm',
    epoch: '1',
    version: '5.1-2',
  });
});

test('reads dpkg -l, with and without the column of architectures', () => {
  const { packages } = readAs(
    'dpkg -l',
    `Desired=Unknown/Install/Remove/Purge/Hold
| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend
|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)
||/ Name           Version      Architecture Description
+++-==============-============-============-=================================
ii  adduser        3.118        all          add and remove users and groups
hi  libc6:amd64    2.31-13      amd64        GNU C Library: Shared libraries
ii  base-files     6.5ubuntu6.8              Debian base system miscellaneous files
rc  apache2-bin    2.4.48-3     amd64        Apache HTTP Server
`,
  );
  expect(packages.map(debSource)).toEqual([
    'adduser 3.118 all - - true',
    'libc6 2.31-13 amd64 - - true',
    'base-files 6.5ubuntu6.8 - - - true',
  ]);
});

// By its documentation.
test('reads apt list in any language by the suite "now"', () => {
  const { packages } = readAs(
    'apt list',
    `WARNING: apt does not have a stable CLI interface. Use with caution in scripts.
Listing... Done
adduser/focal,focal,now 3.118ubuntu2 all [installed]
bash/now 5.0-6ubuntu1 amd64 [installiert,lokal]
curl/focal-updates,focal-security 7.68.0-1ubuntu2.19 amd64 [upgradable from: 7.68.0-1ubuntu2.18]
zsh/focal 5.8-3ubuntu1 amd64
old/now 1-1 amd64 [residual-config]
ancien/now 1-1 amd64 [résiduel-config]
alt/now 1-1 amd64 [Konfiguration-verbleibend]
viejo/now 1-1 amd64 [configuración-residual]
stary/now 1-1 amd64 [остались файлы настроек]
`,
  );
  expect(packages.map(debSource)).toEqual([
    'adduser 3.118ubuntu2 all - - true',
    'bash 5.0-6ubuntu1 amd64 - - true',
    'curl 7.68.0-1ubuntu2.18 amd64 - - true',
  ]);
});

test('reads os-release with any quotes', () => {
  const machine = readAs('os-release', `NAME="Example"\nID='opensuse-leap'\nVERSION_ID=15.5\n`);
  expect(machine).toMatchObject({ distribution: 'opensuse-leap', release: '15.5' });
});

// By its documentation.
test('reads lsb_release', () => {
  const text = `No LSB modules are available.
Distributor ID:\tUbuntu
Description:\tUbuntu 22.04.2 LTS
Release:\t22.04
Codename:\tjammy
`;
  expect(readAs('lsb_release', text)).toMatchObject({ distribution: 'ubuntu', release: '22.04' });
});

// By its documentation.
test.each([
  ['CentOS release 6.5 (Final)', 'centos', '6.5'],
  ['CentOS Linux release 7.7.1908 (Core)', 'centos', '7.7.1908'],
  ['Oracle Linux Server release 7.9', 'ol', '7.9'],
  ['Red Hat Enterprise Linux release 8.10 (Ootpa)', 'rhel', '8.10'],
])('reads the release file %s', (text, distribution, release) => {
  expect(readAs('release file', text)).toMatchObject({ distribution, release });
});

test.each([
  ['4.18.0-513.9.1.el8_9.x86_64', '4.18.0-513.9.1.el8_9.x86_64', 'x86_64'],
  ['5.15.0-69-generic', '5.15.0-69-generic', null],
  [
    'Linux host 5.10.0-8-amd64 #1 SMP Debian 5.10.46-4 (2021-08-03) x86_64 GNU/Linux',
    '5.10.0-8-amd64',
    'x86_64',
  ],
])('reads the kernel of %s', (text, kernel, architecture) => {
  expect(readAs('uname', text)).toMatchObject({ kernel, architecture });
});
