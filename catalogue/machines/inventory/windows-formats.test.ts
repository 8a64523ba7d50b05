/**
 * One small output of each format that Windows and macOS print. The formats were seen on real machines, except those marked "by
 * its documentation", which follow the tool's manual.
 */
import { expect, test } from 'vitest';
import { readInventory } from './read-inventory.ts';
import { readAs } from './testing/read-as.ts';

test('reads systeminfo in a language with unknown labels', () => {
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

test('reads the revision of ver', () => {
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

test('reads plain KB numbers, but not a sentence that mentions one', () => {
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
test('reads winget list, and reports the rows that it cut off', () => {
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

test('reads the version alone when the next heading is one space away', () => {
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

const gitTable = `Name Id      Version Available Source
-------------------------------------
Git  Git.Git 2.20.1  2.35.1.2  winget
7TT  Ram.7TT 5.1     5.2       winget
`;

test.each([
  ['2 upgrades available.'],
  ['2 Aktualisierungen verfügbar.'],
  ['2 yükseltme kullanılabilir.'],
  ['3 アップグレードを利用できます。'],
  [
    '1 package(s) have version numbers that cannot be determined. Use --include-unknown to see all results.',
  ],
  [
    '2 paketin belirlenemeyen sürüm numarası var. Tüm sonuçları görmek için --include-unknown kullanın.',
  ],
  ['1 package(s) have pins that prevent upgrade. Use the --include-pinned argument.'],
])('recognizes "%s" below the table of winget', (sentence) => {
  expect(readAs('winget list', `${gitTable}${sentence}\n`).applications).toHaveLength(2);
});

test('reads the second table of winget upgrade', () => {
  const text = `${gitTable}2 upgrades available.

The following packages have an upgrade available, but require explicit targeting for upgrade:
Name    Id              Version Available Source
-------------------------------------------------
Discord Discord.Discord 1.0.1   1.0.2     winget
`;
  expect(readAs('winget list', text).applications.map(({ name }) => name)).toEqual([
    'Git',
    '7TT',
    'Discord',
  ]);
});

test.each([
  '  ██████▒▒▒▒▒▒▒▒▒▒  1024 KB / 5.2 MB',
  '  ██████████  100%',
  '  ΓûêΓûêΓûÆΓûÆ  12%',
  '  ÔûêÔûêÔûÆÔûÆ  12%',
  '   -    \\    |    /    -',
  '   \\',
  '\r   - \r   \\ \r   | \r',
])('recognizes the progress "%s" of winget', (progress) => {
  expect(
    readAs('winget list', `${progress.includes('\r') ? '' : `${progress}\n`}${gitTable}`),
  ).toMatchObject({
    applications: [{ name: 'Git' }, { name: '7TT' }],
  });
  expect(readInventory(`${progress}\n${gitTable}`).unreadableLines).toBe(0);
});

test('does not read a table with bars as one of winget', () => {
  const text = `ID     | Command line             | Date and time    | Action(s)      | Altered
-------------------------------------------------------------------------------
     2 | install -y wick          | 2024-03-01 10:00 | Install        |    5
`;
  const { machine, unreadableLines } = readInventory(text);
  expect(machine).toMatchObject({ platform: null, applications: [] });
  expect(unreadableLines).toBe(3);
});

test('reports other sentences below the table of winget', () => {
  const { machine, unreadable } = readInventory(`${gitTable}Failed: 0x80072ee7\n`);
  expect(machine.applications).toHaveLength(2);
  expect(unreadable.map(({ line }) => line)).toEqual([5]);
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
