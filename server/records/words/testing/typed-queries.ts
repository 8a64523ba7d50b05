/**
 * Queries as people write them at search engines and forums, and the record that they expect first. Each expectation is what a person
 * would say without looking at the product: the product in the title, the release, the severity, the vendor.
 */

export interface ExpectedRecord {
  /** The identifier or the title matches: packages of Ubuntu are called by their identifier. */
  readonly named?: RegExp;
  readonly identifier?: RegExp;
  readonly title?: RegExp;
  readonly vendor?: RegExp;
  /** One of the products or releases matches. */
  readonly release?: RegExp;
  readonly severity?: string;
  readonly exploited?: boolean;
  /** Epoch milliseconds of a day in the year, or month, that the query names. */
  readonly releasedIn?: string;
  /** One of the CVEs of the record. */
  readonly cve?: string;
}

export const typedQueries: readonly (readonly [query: string, expected: ExpectedRecord])[] = [
  // Packages and applications by name.
  ['openssl', { named: /openssl/i }],
  ['kernel', { title: /\bkernel\b/i, vendor: /linux|debian|ubuntu|suse|centos|pardus/i }],
  ['firefox', { title: /firefox/i }],
  ['chrome', { title: /\bchrome\b/i }],
  ['google chrome', { title: /^google chrome/i }],
  ['acrobat', { title: /acrobat/i }],
  ['adobe acrobat reader', { title: /acrobat reader/i }],
  ['libreoffice', { title: /libreoffice/i }],
  ['7-zip', { title: /7-zip/i }],
  ['7zip', { title: /7-?zip/i }],
  ['sudo', { title: /\bsudo\b/i }],
  ['postgres', { title: /postgres/i }],
  ['httpd security update', { title: /httpd/i }],
  ['apache log4j', { title: /log4j/i }],
  ['java 17', { title: /java-17/i }],
  ['thunderbird', { named: /thunderbird/i }],
  ['glibc', { title: /glibc/i }],
  ['curl', { named: /\bcurl\b/i }],
  ['vim', { named: /\bvim\b/i }],
  ['samba', { named: /samba/i }],
  ['nginx', { named: /nginx/i }],
  ['git', { named: /\bgit\b/i }],
  // Products of Microsoft.
  ['SQL Server', { title: /sql server/i }],
  ['sql server 2019', { title: /sql server 2019/i }],
  ['mssql 2017', { title: /sql server 2017/i }],
  ['windows server 2022', { title: /for windows server 2022/i }],
  ['server 2019', { release: /server 2019/i, title: /windows/i }],
  ['Windows 11 24H2', { release: /windows 11 version 24h2/i, title: /windows 11/i }],
  ['win11 23h2', { release: /windows 11 version 23h2/i }],
  ['Windows Server 2012 R2', { title: /server 2012 r2/i }],
  ['sharepoint 2019', { title: /sharepoint.*2019/i }],
  ['exchange server 2019', { title: /exchange server 2019/i }],
  ['exchange 2016', { title: /exchange server 2016/i }],
  ['office 2016', { release: /office 2016/i }],
  ['.net 8', { title: /\.net 8/i, vendor: /microsoft/i }],
  ['.net framework 4.8', { title: /\.net framework.*4\.8/i }],
  ['windows defender', { title: /defender/i }],
  // Releases and code names.
  ['openssl debian 11', { title: /openssl/i, release: /^debian 11$/i }],
  ['sudo bullseye', { title: /sudo/i, release: /^debian 11$/i }],
  ['firefox almalinux 9', { title: /firefox/i, release: /^almalinux 9$/i }],
  ['kernel rhel 8', { title: /kernel/i, release: /linux 8$/i }],
  ['glibc el9', { title: /glibc/i, release: /linux 9$/i }],
  ['oracle linux 7 bind', { title: /\bbind\b/i, release: /^oracle linux 7$/i }],
  ['opensuse leap 15.6 chromium', { title: /chromium/i, release: /leap 15\.6/i }],
  ['curl ubuntu 22.04', { identifier: /curl/i, release: /jammy|22\.04/i }],
  ['macos sonoma', { title: /sonoma/i }],
  ['Sonoma', { title: /sonoma/i }],
  ['macOS 13', { title: /ventura|macos 13/i }],
  ['centos 7 bind', { title: /\bbind\b/i, release: /^centos 7$/i }],
  ['pardus 23 openssl', { named: /openssl/i, release: /pardus 23/i }],
  // Severity, exploitation and time.
  ['critical windows server 2019', { severity: 'Critical', release: /server 2019/i }],
  ['openssl important rhel 8', { title: /openssl/i, severity: 'Important' }],
  ['exploited microsoft', { exploited: true, vendor: /microsoft/i }],
  ['zero day windows 10', { exploited: true, release: /windows 10/i }],
  ['ransomware sharepoint', { release: /sharepoint/i, exploited: true }],
  ['critical may 2026', { severity: 'Critical', releasedIn: '2026-05' }],
  ['sharepoint mai 2026', { title: /sharepoint/i, releasedIn: '2026-05' }],
  ['windows mayıs 2026', { title: /windows/i, releasedIn: '2026-05' }],
  ['openssl 2023', { title: /openssl/i, releasedIn: '2023' }],
  ['kernel update almalinux 8 2024', { title: /kernel/i, releasedIn: '2024' }],
  // Identifiers in any spelling.
  ['KB 5087545', { identifier: /^KB5087545$/ }],
  ['kb5002744', { identifier: /^KB5002744$/ }],
  ['5087545', { identifier: /^KB5087545$/ }],
  ['cve 2024 1086', { title: /kernel/i, cve: 'CVE-2024-1086' }],
  ['CVE-2021-44228', { title: /log4j/i, cve: 'CVE-2021-44228' }],
  ['log4shell', { cve: 'CVE-2021-44228' }],
  ['heartbleed', { title: /openssl/i, cve: 'CVE-2014-0160' }],
  ['ALSA-2024:7848', { identifier: /^ALSA-2024:7848$/ }],
  ['alsa 2024 7848', { identifier: /^ALSA-2024:7848$/ }],
  ['dsa 5343', { identifier: /^DSA-5343/ }],
  ['elsa-2024-12786', { identifier: /^ELSA-2024-12786$/ }],
  // One wrong letter, other letters.
  ['opensll', { named: /openssl/i }],
  ['fierfox', { title: /firefox/i }],
  ['kernl rhel 8', { title: /kernel/i, release: /linux 8$/i }],
  ['thunderbrid', { named: /thunderbird/i }],
  ['WİNDOWS SERVER 2022', { title: /windows server 2022/i }],
  ['sharepont 2019', { title: /sharepoint.*2019/i }],
  ['postgersql', { title: /postgres/i }],
];
