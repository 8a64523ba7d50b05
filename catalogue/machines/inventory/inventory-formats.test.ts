/**
 * One small output of each format. The forms of rpm, dpkg, systeminfo, Get-HotFix, wmic, sw_vers and the SBOMs were seen on real
 * machines; those marked "by its documentation" follow the tool's manual only.
 */
import { expect, test } from 'vitest';
import type { InstalledPackage, InventoryFormat } from '../machine.ts';
import { readInventory } from './read-inventory.ts';

const short = ({ name, epoch, version, architecture }: InstalledPackage) =>
  [name, epoch ?? '-', version, architecture ?? '-'].join(' ');

/** Read whole, as one format. */
function readAs(format: InventoryFormat, text: string) {
  const { machine, understood, unreadable, unreadableLines } = readInventory(text);
  expect(unreadable).toEqual([]);
  expect(unreadableLines).toBe(0);
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  expect(understood).toEqual([{ format, lines }]);
  return machine;
}

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
  expect(readAs('rpm', line).packages.map(short)).toEqual([expected]);
});

test('keeps module labels apart from their absence', () => {
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

test('leaves out keys and sources, which are no installed software', () => {
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

test('leaves out what dpkg-query says is not installed', () => {
  const text = [
    'rc \told\t1-1\tamd64',
    'old2 1-1 deinstall ok config-files',
    'hi \theld\t1-1\tamd64',
  ];
  const { packages } = readAs('dpkg-query', text.join('\n'));
  expect(packages.map(({ name }) => name)).toEqual(['held']);
});

test('decides by the distribution where a line has a name and a version only', () => {
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
`,
  );
  expect(packages.map(debSource)).toEqual([
    'adduser 3.118ubuntu2 all - - true',
    'bash 5.0-6ubuntu1 amd64 - - true',
    'curl 7.68.0-1ubuntu2.18 amd64 - - true',
  ]);
});

test('reads os-release with either quotes or none', () => {
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
  ['4.18.0-513.9.1.el8_9.x86_64', '4.18.0-513.9.1.el8_9.x86_64', null],
  ['5.15.0-69-generic', '5.15.0-69-generic', null],
  [
    'Linux host 5.10.0-8-amd64 #1 SMP Debian 5.10.46-4 (2021-08-03) x86_64 GNU/Linux',
    '5.10.0-8-amd64',
    'x86_64',
  ],
])('reads the kernel of %s', (text, kernel, architecture) => {
  expect(readAs('uname', text)).toMatchObject({ kernel, architecture });
});

test('reads systeminfo of a language that no label is known of', () => {
  const machine = readAs(
    'systeminfo',
    `主机名：           PC
OS 名称：          Microsoft Windows 11 专业版
OS 版本：          10.0.22631 暂缺 Build 22631
系统类型：         ARM64-based PC
修补程序：         安装了 2 个修补程序。
                   [01]: KB5034441
                   [02]：KB5031455
网卡：             安装了 1 个 NIC。
                   [01]: KB-Adapter
`,
  );
  expect(machine).toMatchObject({
    platform: 'windows',
    build: '10.0.22631',
    architecture: 'aarch64',
    kbs: ['5034441', '5031455'],
  });
});

test('takes the revision of ver', () => {
  const text = 'Microsoft Windows [Versión 10.0.19045.6456]\n';
  expect(readAs('ver', text)).toMatchObject({ build: '10.0.19045.6456' });
});

test('reads Get-HotFix as a table and as a list', () => {
  const table = `Source        Description      HotFixID      InstalledBy          InstalledOn
------        -----------      --------      -----------          -----------
PC            Security Update  KB5034441     NT AUTHORITY\\SYSTEM  1/10/2024 12:00:00 AM
PC            Update           KB5031455
`;
  // By its documentation.
  const list = `Description         : Update
FixComments         :
HotFixID            : KB5034441
InstalledOn         : 1/10/2024 12:00:00 AM
PSComputerName      : PC

HotFixID            : KB5031455
`;
  for (const text of [table, list])
    expect(readAs('Get-HotFix', text).kbs).toEqual(['5034441', '5031455']);
});

// csv and /format:list by the documentation.
test.each([
  [
    'a table',
    'Caption  CSName  HotFixID   InstalledOn\r\r\nhttp://x  PC  KB5034441  1/10/2024\r\r\n',
  ],
  [
    '/format:list',
    'Caption=http://support.microsoft.com/?kbid=5034441\r\nHotFixID=KB5034441\r\nStatus=\r\n',
  ],
  ['csv', 'Node,Caption,HotFixID,InstalledOn\r\r\nPC,http://x/?kbid=1,KB5034441,1/10/2024\r\r\n'],
])('reads wmic qfe as %s', (_, text) => {
  expect(readAs('wmic qfe', text).kbs).toEqual(['5034441']);
});

test('reads plain KB numbers, and no sentence that mentions one', () => {
  expect(readAs('KB numbers', 'KB5034441, KB5031455\nkb890830\n').kbs).toEqual([
    '5034441',
    '5031455',
    '890830',
  ]);
  const { machine, unreadableLines } = readInventory('Please install KB5034441 soon');
  expect([machine.kbs, unreadableLines]).toEqual([[], 1]);
});

// By its documentation.
test('reads Get-HotFix as JSON, one or many', () => {
  const one = { Source: 'PC', HotFixID: 'KB5034441', InstalledOn: '/Date(1704844800000)/' };
  for (const document of [one, [one, { HotFixID: 'KB5031455' }]])
    expect(readAs('Get-HotFix', JSON.stringify(document, null, 4)).kbs[0]).toBe('5034441');
});

// By its documentation.
test('reads Get-ComputerInfo as JSON', () => {
  const document = {
    WindowsProductName: 'Windows 10 Pro',
    OsName: 'Microsoft Windows 11 Pro',
    OsVersion: '10.0.22631',
    WindowsUBR: 3007,
    CsSystemType: 'ARM64-based PC',
    OsHotFixes: [{ HotFixID: 'KB5034441' }],
  };
  expect(readAs('Get-ComputerInfo', JSON.stringify(document))).toMatchObject({
    distribution: 'Microsoft Windows 11 Pro',
    build: '10.0.22631.3007',
    architecture: 'aarch64',
    kbs: ['5034441'],
  });
});

test('reads sw_vers', () => {
  const text =
    'ProductName:\t\tmacOS\nProductVersion:\t\t13.4.1\nProductVersionExtra:\t(a)\nBuildVersion:\t\t22F770820d\n';
  expect(readAs('sw_vers', text)).toMatchObject({
    platform: 'macos',
    release: '13.4.1',
    build: '22F770820d',
  });
});

// By its documentation.
test('reads winget list, and says which rows it cut off', () => {
  const text = `Name              ID             Version   Verfügbar Quelle
-----------------------------------------------------------
Git               Git.Git        2.40.1    2.43.0    winget
微信              Tencent.WeChat 3.9.8               winget
7-Zip 23.01 (x64) 7zip.7zip      23.01               winget
Microsoft Visual… Microsoft.VCR… 14.0                winget
`;
  const { machine, unreadable } = readInventory(text);
  expect(machine.applications).toEqual([
    { name: 'Git', identifier: 'Git.Git', version: '2.40.1' },
    { name: '微信', identifier: 'Tencent.WeChat', version: '3.9.8' },
    { name: '7-Zip 23.01 (x64)', identifier: '7zip.7zip', version: '23.01' },
  ]);
  expect(unreadable.map(({ line }) => line)).toEqual([6]);
});

test('takes the version alone where the next heading is one space away', () => {
  const text = `Name              Id        Version Source
------------------------------------------
7-Zip 23.01 (x64) 7zip.7zip 23.01   winget
Old tool          Old.Tool  < 1.2   winget
`;
  expect(readInventory(text).machine.applications.map(({ version }) => version)).toEqual([
    '23.01',
    '< 1.2',
  ]);
});

// By its documentation.
test('reads winget export', () => {
  const document = {
    $schema: 'https://aka.ms/winget-packages.schema.2.0.json',
    Sources: [
      {
        Packages: [
          { PackageIdentifier: 'Git.Git', Version: '2.40.1' },
          { PackageIdentifier: 'A.B' },
        ],
      },
    ],
  };
  expect(readAs('winget export', JSON.stringify(document, null, 2)).applications).toEqual([
    { name: 'Git.Git', identifier: 'Git.Git', version: '2.40.1' },
    { name: 'A.B', identifier: 'A.B', version: null },
  ]);
});

const purls = [
  'pkg:rpm/rocky/bind-libs@9.11.4-26.el8?arch=x86_64&epoch=32&distro=rocky-8.4&rpmmod=bind%3A9.11%3A1%3A2',
  'pkg:deb/debian/bsdutils@1%3A2.36.1-8?arch=amd64&upstream=util-linux%402.36.1-8&distro=debian-11',
];

test.each([
  [
    'CycloneDX',
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.4',
      components: [{ type: 'container', name: 'x', components: purls.map((purl) => ({ purl })) }],
    },
  ],
  [
    'SPDX',
    {
      spdxVersion: 'SPDX-2.3',
      packages: purls.map((referenceLocator) => ({
        externalRefs: [{ referenceType: 'purl', referenceLocator }],
      })),
    },
  ],
] as const)('reads packages of %s with epoch, module and source', (format, document) => {
  const { packages, distribution, release } = readAs(format, JSON.stringify(document));
  expect([distribution, release]).toEqual(['rocky', '8.4']);
  expect(packages).toMatchObject([
    {
      name: 'bind-libs',
      epoch: '32',
      version: '9.11.4-26.el8',
      module: { name: 'bind', stream: '9.11' },
    },
    {
      name: 'bsdutils',
      version: '1:2.36.1-8',
      source: { name: 'util-linux', version: '2.36.1-8' },
    },
  ]);
});

test('says that an SBOM describes an application', () => {
  const document = { bomFormat: 'CycloneDX', components: [{ purl: 'pkg:npm/react@19.0.0' }] };
  const { machine, unreadable } = readInventory(JSON.stringify(document));
  expect(machine).toMatchObject({ platform: null, packages: [] });
  expect(unreadable[0]?.reason).toMatch(/application \(npm\), not the packages of a machine/);
});
