/** Tables of zypper in several languages; the forms follow zypper's own sources and outputs of its users. */
import { expect, test } from 'vitest';
import { readInventory } from './read-inventory.ts';
import { packageWords, readAs } from './testing/read-as.ts';

const search = `Loading repository data...
Reading installed packages...

S  | Name             | Type       | Version             | Arch   | Repository
---+------------------+------------+---------------------+--------+-----------------
i+ | bash             | package    | 4.4-150400.25.22    | x86_64 | Main Repository
i  | bind-utils       | package    | 32:9.16.50-1.2      | x86_64 | (System Packages)
i  | timezone         | package    | 2026a-150000.75.1   | noarch | Update repository
v  | bash             | package    | 4.4-150400.27.3.2   | x86_64 | Update repository
   | zsh              | package    | 5.6-7.5.1           | x86_64 | Main Repository
i  | base             | pattern    | 20200505-lp155.16.1 | x86_64 | (System Packages)
il | libzypp          | package    | 17.31.8-1.1         | x86_64 | Main Repository
i  | openSUSE-2026-12 | patch      | 1                   | noarch | Update repository
`;
const searched = [
  'bash 0 4.4-150400.25.22 x86_64',
  'bind-utils 32 9.16.50-1.2 x86_64',
  'timezone 0 2026a-150000.75.1 noarch',
  'libzypp 0 17.31.8-1.1 x86_64',
];

test('reads the installed packages of zypper search, and no other rows', () => {
  expect(readAs('rpm', search).packages.map(packageWords)).toEqual(searched);
});

test.each([
  [
    'German',
    `Repository-Daten werden geladen...
Installierte Pakete werden gelesen...

S  | Name    | Typ    | Version          | Arch   | Repository
---+---------+--------+------------------+--------+-----------
i+ | bash    | Paket  | 4.4-150400.25.22 | x86_64 | Haupt
i  | zlib    | Paket  | 1.2.13-1.1       | x86_64 | Haupt
i  | base    | Muster | 20200505-16.1    | x86_64 | Haupt
`,
  ],
  [
    'Turkish',
    `Depo verileri yükleniyor...
Kurulu paketler okunuyor...

D  | İsim | Tür   | Sürüm            | Mimari | Depo
---+------+-------+------------------+--------+-----
i+ | bash | paket | 4.4-150400.25.22 | x86_64 | Ana
i  | zlib | paket | 1.2.13-1.1       | x86_64 | Ana
i  | base | desen | 20200505-16.1    | x86_64 | Ana
`,
  ],
  [
    'Japanese',
    `リポジトリのデータを読み込んでいます...
インストール済みのパッケージを読み込んでいます...

S  | 名前 | 種類       | バージョン       | アーキテクチャ | リポジトリ
---+------+------------+------------------+----------------+-----------
i+ | bash | パッケージ | 4.4-150400.25.22 | x86_64         | Main
i  | zlib | パッケージ | 1.2.13-1.1       | x86_64         | Main
`,
  ],
])('reads zypper search in %s', (_, text) => {
  expect(readAs('rpm', text).packages.map(packageWords)).toEqual([
    'bash 0 4.4-150400.25.22 x86_64',
    'zlib 0 1.2.13-1.1 x86_64',
  ]);
});

test('reads zypper packages below the progress of a refresh', () => {
  const text = `Retrieving repository 'Main' metadata ..........[done]
Loading repository data...
Reading installed packages...
S  | Repository | Name          | Version          | Arch
---+------------+---------------+------------------+-------
i+ | Main       | bash          | 4.4-150400.25.22 | x86_64
i  | @System    | python3.11    | 3.11.9-1.1       | aarch64
v  | Updates    | bash          | 4.4-150400.27.3  | x86_64
`;
  expect(readAs('rpm', text).packages.map(packageWords)).toEqual([
    'bash 0 4.4-150400.25.22 x86_64',
    'python3.11 0 3.11.9-1.1 aarch64',
  ]);
});

test("recognizes SUSE's advice below the table", () => {
  const advice =
    "Note: For an extended search including not yet activated remote resources please use 'zypper search-packages'.\n";
  expect(readAs('rpm', search + advice).packages).toHaveLength(searched.length);
});

test.each([
  [
    'updates',
    `S | Repository | Name | Current Version  | Available Version | Arch
--+------------+------+------------------+-------------------+-------
v | Updates    | bash | 4.4-150400.25.22 | 4.4-150400.27.3   | x86_64
`,
  ],
  [
    'patches',
    `Repository | Name             | Category | Severity  | Interactive | Status | Summary
-----------+------------------+----------+-----------+-------------+--------+----------------
Updates    | openSUSE-2026-12 | security | important | ---         | needed | Update for wick
`,
  ],
  [
    'packages without versions',
    `S  | Name | Summary            | Type
---+------+--------------------+--------
i+ | bash | The GNU Bourne-A S | package
`,
  ],
])('reports that a table of %s is not an inventory', (_, table) => {
  const { machine, unreadable, unreadableLines } = readInventory(table);
  expect(machine.packages).toEqual([]);
  expect(unreadableLines).toBe(3);
  expect(unreadable).toMatchObject([
    { line: 1, reason: 'zypper does not list installed packages here; use rpm -qa' },
  ]);
});

test('reports a row whose name was cut', () => {
  const { machine, unreadable } = readInventory(
    search.replace('i  | timezone         |', 'i  | timezone-very-lo… |'),
  );
  expect(unreadable.map(({ line }) => line)).toEqual([8]);
  expect(machine.packages).toHaveLength(searched.length - 1);
});
