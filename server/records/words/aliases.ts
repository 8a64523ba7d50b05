/** Names that people type in place of those that the vendors write. Each table says why the catalogue itself cannot give them. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { fallbackVersions } from '@patch/catalogue/vendors/debian/debian-releases.ts';
import { versionsByCodename } from '@patch/catalogue/vendors/ubuntu/ubuntu-releases.ts';

/** `debian 12` by `bookworm`, `ubuntu 22.04` by `jammy`: records state one of both. */
export const codeNames: ReadonlyMap<string, string> = new Map([
  ...Array.from(fallbackVersions, ([name, version]): [string, string] => [
    name,
    `debian ${version}`,
  ]),
  ...Object.entries(versionsByCodename).map(([name, version]): [string, string] => [
    name,
    `ubuntu ${version}`,
  ]),
]);

/** Code names by release, the reverse. */
export const namesOfReleases: ReadonlyMap<string, string> = new Map(
  Array.from(codeNames, ([name, release]) => [release, name]),
);

/** Distributions that rebuild Red Hat Enterprise Linux under its version: who types `el9` has one of them. */
export const rebuilds: readonly string[] = ['almalinux', 'rocky linux', 'oracle linux', 'centos'];

/** Short and former names of products, of one word or two, which the vendors' names do not contain. */
export const shortForms: ReadonlyMap<string, string> = new Map([
  ['windows defender', 'microsoft defender'],
  ['office 365', 'microsoft 365 apps'],
  ['exchange se', 'exchange server subscription edition'],
  ['sharepoint se', 'sharepoint server subscription edition'],
  ['server se', 'server subscription edition'],
  ['mssql', 'sql server'],
  ['win', 'windows'],
  ['suse', 'opensuse'],
  ['msrt', 'malicious software removal tool'],
  // Components of Windows, which titles write in full.
  ['clfs', 'common log file system'],
  ['msmq', 'message queuing'],
  ['druckwarteschlange', 'print spooler'],
  ['druckspooler', 'print spooler'],
  // Until 8, packages have the number that Java had inside.
  ['java 7', 'java 1.7.0'],
  ['java 8', 'java 1.8.0'],
  ['alma', 'almalinux'],
  ['node.js', 'nodejs'],
  ['sp1', 'service pack 1'],
  ['sp2', 'service pack 2'],
  ['sp3', 'service pack 3'],
  // Turkish, in names of products.
  ['sunucu', 'server'],
  ['sunucusu', 'server'],
  // Turkish, the part of a system that each has.
  ['çekirdek', 'kernel'],
  ['çekirdeği', 'kernel'],
  // The day of the month that every month has.
  ['patch tuesday', ''],
  ['win7', 'windows 7'],
  ['win8', 'windows 8'],
  ['win10', 'windows 10'],
  ['win11', 'windows 11'],
  ['ie11', 'internet explorer 11'],
  ['o365', 'microsoft 365 apps'],
  ['vscode', 'visual studio code'],
  ['dotnet', '.net'],
  ['osx', 'macos'],
  ['postgres', 'postgresql'],
  ['leap', 'opensuse leap'],
]);

/** Words for the flag of ransomware in the other languages of those who use the console. */
export const ransomwareWords: ReadonlySet<string> = new Set(
  [
    'erpressungssoftware',
    'erpressungstrojaner',
    'fidye',
    'fidye yazılımı',
    'verschlüsselungstrojaner',
  ].map(fold),
);

/** What people call a vulnerability that is known exploited: the flag has one label. */
export const exploitedWords: ReadonlySet<string> = new Set([
  '0day',
  '0-day',
  'zero day',
  'zero-day',
  'zeroday',
  'kev',
  'cisa kev',
  'in the wild',
  'exploited in the wild',
  'actively exploited',
  'known exploited',
  'ausgenutzt',
  'ausgenutzte',
  'aktiv ausgenutzt',
  'aktiv ausgenutzte',
  'istismar edilen',
  'aktif istismar edilen',
]);

/** Words that ask for the newest records first, of one word or two, in the languages of those who use the console: no order has such a name. */
export const newestWords: ReadonlySet<string> = new Set(
  [
    'latest',
    'newest',
    'most recent',
    'last',
    ...['', 'r', 's', 'n'].flatMap((end) =>
      ['neueste', 'neuste', 'aktuellste', 'letzte'].map((word) => word + end),
    ),
    'en son',
    'en yeni',
    'son çıkan',
    'son',
  ].map(fold),
);

/** Severities in the other languages of those who use the console. The lists have English ones. */
export const severityWords: ReadonlyMap<string, string> = new Map([
  ['kritik', 'critical'],
  ['önemli', 'important'],
  ['orta', 'moderate'],
  ['düşük', 'low'],
  ...[
    ['kritisch', 'critical'],
    ['wichtig', 'important'],
    ['mittel', 'moderate'],
    ['niedrig', 'low'],
  ].flatMap(([word = '', severity = '']) =>
    ['', 'e', 'er', 'es', 'en'].map((end): [string, string] => [word + end, severity]),
  ),
]);

/**
 * Names that the press gave to vulnerabilities, and bulletins that became names. The vendors' records state only the numbers. Where a
 * record has the name itself, it is searched for as it is.
 */
const named: readonly (readonly [name: string, cve: string])[] = [
  ['bad neighbor', 'cve-2020-16898'],
  ['badlock', 'cve-2016-2118'],
  ['badsuccessor', 'cve-2025-53779'],
  ['baron samedit', 'cve-2021-3156'],
  ['blastradius', 'cve-2024-3596'],
  ['bleedingtooth', 'cve-2020-12351'],
  ['blueborne', 'cve-2017-1000251'],
  ['bluekeep', 'cve-2019-0708'],
  ['boothole', 'cve-2020-10713'],
  ['bronze bit', 'cve-2020-17049'],
  ['cacheout', 'cve-2020-0549'],
  ['citrix bleed', 'cve-2023-4966'],
  ['crosstalk', 'cve-2020-0543'],
  ['curveball', 'cve-2020-0601'],
  ['dejablue', 'cve-2019-1181'],
  ['dirty cow', 'cve-2016-5195'],
  ['dirty pipe', 'cve-2022-0847'],
  ['dirty sock', 'cve-2019-7304'],
  ['dnspooq', 'cve-2020-25681'],
  ['downfall', 'cve-2022-40982'],
  ['drown', 'cve-2016-0800'],
  ['eternalblue', 'cve-2017-0144'],
  ['follina', 'cve-2022-30190'],
  ['foreshadow', 'cve-2018-3646'],
  ['fragattacks', 'cve-2020-24588'],
  ['gameoverlay', 'cve-2023-2640'],
  ['ghostcat', 'cve-2020-1938'],
  ['gotofail', 'cve-2014-1266'],
  ['heartbleed', 'cve-2014-0160'],
  ['hivenightmare', 'cve-2021-36934'],
  ['httpoxy', 'cve-2016-5385'],
  ['imagetragick', 'cve-2016-3714'],
  ['keytrap', 'cve-2023-50387'],
  ['kr00k', 'cve-2019-15126'],
  ['krack', 'cve-2017-13077'],
  ['lazyfp', 'cve-2018-3665'],
  ['leaky vessels', 'cve-2024-21626'],
  ['log4shell', 'cve-2021-44228'],
  ['logjam', 'cve-2015-4000'],
  ['looney tunables', 'cve-2023-4911'],
  ['lucky13', 'cve-2013-0169'],
  ['madeyoureset', 'cve-2025-8671'],
  ['meltdown', 'cve-2017-5754'],
  ['nimbuspwn', 'cve-2022-29799'],
  ['nopac', 'cve-2021-42278'],
  ['notpetya', 'cve-2017-0144'],
  ['nxnsattack', 'cve-2020-8616'],
  ['optionsbleed', 'cve-2017-9798'],
  ['petitpotam', 'cve-2021-36942'],
  ['plundervolt', 'cve-2019-11157'],
  ['poodle', 'cve-2014-3566'],
  ['portsmash', 'cve-2018-5407'],
  ['printnightmare', 'cve-2021-34527'],
  ['proxylogon', 'cve-2021-26855'],
  ['proxynotshell', 'cve-2022-41040'],
  ['proxyshell', 'cve-2021-34473'],
  ['pwnkit', 'cve-2021-4034'],
  ['raccoon', 'cve-2020-1968'],
  ['rapid reset', 'cve-2023-44487'],
  ['react2shell', 'cve-2025-55182'],
  ['regresshion', 'cve-2024-6387'],
  ['reptar', 'cve-2023-23583'],
  ['retbleed', 'cve-2022-29900'],
  ['ridl', 'cve-2018-12127'],
  ['sad dns', 'cve-2020-25705'],
  ['sambacry', 'cve-2017-7494'],
  ['serioussam', 'cve-2021-36934'],
  ['shellshock', 'cve-2014-6271'],
  ['sigred', 'cve-2020-1350'],
  ['smbghost', 'cve-2020-0796'],
  ['smbleed', 'cve-2020-1206'],
  ['spectre', 'cve-2017-5753'],
  ['spring4shell', 'cve-2022-22965'],
  ['stack clash', 'cve-2017-1000364'],
  ['stackrot', 'cve-2023-3269'],
  ['sweet32', 'cve-2016-2183'],
  ['terrapin', 'cve-2023-48795'],
  ['text4shell', 'cve-2022-42889'],
  ['toolshell', 'cve-2025-53770'],
  ['venom', 'cve-2015-3456'],
  ['wannacry', 'cve-2017-0144'],
  ['winshock', 'cve-2014-6321'],
  ['xz backdoor', 'cve-2024-3094'],
  ['zenbleed', 'cve-2023-20593'],
  ['zerologon', 'cve-2020-1472'],
  ['zombieload', 'cve-2018-12130'],
  ['ms08-067', 'cve-2008-4250'],
  ['ms12-020', 'cve-2012-0002'],
  ['ms15-034', 'cve-2015-1635'],
  ['ms17-010', 'cve-2017-0144'],
];

/** CVEs by folded name, also without its blank. */
export const namedVulnerabilities: ReadonlyMap<string, string> = new Map(
  named.flatMap(([name, cve]) => [
    [name, cve],
    [name.replace(' ', ''), cve],
  ]),
);
