/** Foreign, retitled, half-typed and emptied documents of third-party applications. */
import {
  edited,
  json,
  page,
  servedFrom,
  testForeignDocuments,
} from './testing/foreign-documents.ts';
import type { Served } from './testing/memory-publication.ts';
import { thirdpartyFiles } from './testing/publications/other-publications.ts';
import { publishings } from './testing/publications/stated-record.ts';

const [{ records }] = publishings as readonly [(typeof publishings)[number]];
const winget = thirdpartyFiles(records);
const sevenZip = (edit: (text: string) => string) => edited(winget, /7zip\.installer/, edit);
const noSource = 'None of their sources';
/** How many applications are read, and what is said; most have no source here. */
const reads = (entries: number, ...lines: readonly string[]) => [entries, ...lines, noSource];
const withIndex = (text: string) => edited(winget, /index\.v2/, () => text);
const entries = JSON.parse(
  String(winget['github.com/svrooij/winget-pkgs-index/raw/main/index.v2.json']),
) as readonly { PackageId?: string }[];
const withSevenZip = (more: object) =>
  withIndex(
    json(entries.map((one) => (one.PackageId === '7zip.7zip' ? { ...one, ...more } : one))),
  );

/** Beside winget's documents, by address. */
const beside =
  (address: string) =>
  (text: string): Served => ({
    ...servedFrom(winget),
    [`https://${address}`]: text,
  });
const scoop = beside('raw.githubusercontent.com/ScoopInstaller/Main/master/bucket/7zip.json');
const scoopManifest = {
  version: '26.00',
  url: 'https://7-zip.example/7z2600-x64.exe',
  hash: 'a1'.repeat(32),
};
const cask = beside('formulae.brew.sh/api/cask/winzip.json');
const caskRecord = {
  token: 'winzip',
  version: '12.0',
  url: 'https://winzip.example/winzip.dmg',
  sha256: 'b2'.repeat(32),
  depends_on: { macos: { '>=': ['13'] } },
};
const chrome = beside(
  'googlechromelabs.github.io/chrome-for-testing/last-known-good-versions-with-downloads.json',
);
const chromeWith = (downloads: unknown) =>
  chrome(json({ channels: { Stable: { version: '151.0.1', downloads } } }));

const newestFirefox = { LATEST_FIREFOX_VERSION: '140.0', FIREFOX_ESR: '128.8.0esr' };
const firefoxReleases = {
  'firefox-140.0': { version: '140.0', category: 'major', date: '2026-02-01' },
  'firefox-128.8.0esr': { version: '128.8.0', category: 'esr', date: '2026-01-02' },
};
const mozilla = (newest: string, releases: string, checksums: Served = {}): Served => ({
  ...servedFrom(winget),
  'https://product-details.mozilla.org/1.0/firefox_versions.json': newest,
  'https://product-details.mozilla.org/1.0/firefox.json': releases,
  ...checksums,
});
const firefox = (releases: object, newest: object = {}) =>
  mozilla(json({ ...newestFirefox, ...newest }), json({ releases }));
const formatSums = (text: string) =>
  mozilla(json(newestFirefox), json({ releases: firefoxReleases }), {
    'https://archive.mozilla.org/pub/firefox/releases/140.0/SHA256SUMS': text,
  });
const withoutChecksums = reads(3, "Mozilla Firefox: Mozilla's list of checksums of 140.0 has none");

testForeignDocuments({
  "winget's index": [
    'thirdParty',
    'compression',
    [
      ['good', servedFrom(winget), reads(2)],
      ['foreign', withIndex(page), 'it is not valid JSON'],
      ['retitled', withIndex(json([{ Id: 'a', Name: 'b' }])), 'it contains no package'],
      [
        'half-typed',
        withSevenZip({ Version: 26 }),
        reads(1, '7zip.7zip rejected: its entry of the index cannot be read: Version: '),
      ],
      [
        'half-typed',
        withSevenZip({ PackageId: 7 }),
        [1, 'None of their sources publishes 7-Zip,', 'that name no package were left out: 1'],
      ],
      ['emptied', withIndex('[]'), 'it contains no package'],
    ],
  ],
  Scoop: [
    'thirdParty',
    'compression',
    [
      ['good', scoop(json(scoopManifest)), reads(2)],
      ['foreign', scoop(page), reads(1, '7zip.7zip rejected: it is not valid JSON')],
      [
        'half-typed',
        scoop(json({ ...scoopManifest, url: 7 })),
        reads(1, '7zip.7zip rejected: url: '),
      ],
      [
        'half-typed',
        scoop(json({ ...scoopManifest, hash: 'see the page' })),
        reads(2, "7-Zip: Scoop's hash has another form; left out"),
      ],
      ['emptied', scoop('{}'), reads(1, '7zip.7zip rejected: version is missing')],
      [
        'emptied',
        scoop(json({ version: '26.00' })),
        [2, noSource, 'These name a version and no installer of it: Scoop of 7-Zip'],
      ],
    ],
  ],
  Homebrew: [
    'thirdParty',
    'compression',
    [
      ['good', cask(json(caskRecord)), reads(3)],
      ['foreign', cask(page), reads(2, 'Corel.WinZip rejected: it is not valid JSON')],
      [
        'retitled',
        cask(json({ ...caskRecord, token: 'peazip' })),
        reads(2, 'Corel.WinZip rejected: it is the cask peazip, not winzip'),
      ],
      [
        'half-typed',
        cask(json({ ...caskRecord, sha256: 7, depends_on: { macos: 'Ventura' } })),
        [
          3,
          "WinZip: Homebrew's sha256 has another form; left out",
          "WinZip: Homebrew's depends_on has another form; left out",
          noSource,
        ],
      ],
      [
        'half-typed',
        cask(json({ ...caskRecord, variations: 'none' })),
        reads(2, 'Corel.WinZip rejected: variations: '),
      ],
      ['emptied', cask('{}'), reads(2, 'Corel.WinZip rejected: version is missing')],
    ],
  ],
  "Mozilla's releases": [
    'thirdParty',
    'browser',
    [
      ['good', firefox(firefoxReleases), reads(3)],
      [
        'foreign',
        mozilla(page, json({ releases: firefoxReleases })),
        [
          1,
          'Mozilla.Firefox rejected: it is not valid JSON',
          'Mozilla.Firefox.ESR rejected: it is not valid JSON',
          noSource,
        ],
      ],
      [
        'retitled',
        firefox({ 'thunderbird-140.0': { version: '140.0', category: 'major' } }),
        [
          1,
          'Mozilla.Firefox rejected: releases: it names none of firefox',
          'Mozilla.Firefox.ESR rejected: releases: it names none of firefox',
          noSource,
        ],
      ],
      [
        'retitled',
        mozilla(json({ LATEST_THUNDERBIRD_VERSION: '140.0' }), json({ releases: firefoxReleases })),
        [
          1,
          'Mozilla.Firefox rejected: LATEST_FIREFOX_VERSION is missing',
          'Mozilla.Firefox.ESR rejected: FIREFOX_ESR is missing',
          noSource,
        ],
      ],
      [
        'half-typed',
        firefox(firefoxReleases, { LATEST_FIREFOX_VERSION: 140 }),
        reads(2, 'Mozilla.Firefox rejected: LATEST_FIREFOX_VERSION: '),
      ],
      [
        'half-typed',
        firefox({ ...firefoxReleases, 'fenix-9': { version: '9' } }),
        [
          3,
          'Mozilla Firefox: releases that are none of firefox were left out: 1',
          'Mozilla Firefox ESR: releases that are none of firefox were left out: 1',
          noSource,
        ],
      ],
      [
        'emptied',
        firefox({}),
        reads(1, 'Mozilla.Firefox rejected: ', 'Mozilla.Firefox.ESR rejected: '),
      ],
    ],
  ],
  "Mozilla's checksums": [
    'thirdParty',
    'browser',
    [
      ['good', formatSums(`${'a1'.repeat(32)}  win64/en-US/Firefox Setup 140.0.exe\n`), reads(3)],
      ['foreign', formatSums(page), withoutChecksums],
      ['half-typed', formatSums('a1a1  win64/en-US/Firefox Setup 140.0.exe\n'), withoutChecksums],
      ['emptied', formatSums(''), withoutChecksums],
    ],
  ],
  'Chrome for Testing': [
    'thirdParty',
    'browser',
    [
      [
        'good',
        chromeWith({ chrome: [{ platform: 'win64', url: 'https://c.example/c.zip' }] }),
        reads(2),
      ],
      ['foreign', chrome(page), reads(1, 'Google.ChromeForTesting rejected: it is not valid JSON')],
      [
        'retitled',
        chrome(json({ channels: { Beta: { version: '152.0.1', downloads: {} } } })),
        reads(1, 'Google.ChromeForTesting rejected: channels.Stable is missing'),
      ],
      [
        'half-typed',
        chromeWith({ chrome: 'none' }),
        reads(1, 'Google.ChromeForTesting rejected: channels.Stable.downloads.chrome: '),
      ],
      [
        'emptied',
        chromeWith({}),
        [2, noSource, 'No source publishes an installer of Google Chrome for Testing'],
      ],
    ],
  ],
  "winget's manifests": [
    'thirdParty',
    'compression',
    [
      ['good', servedFrom(winget), reads(2)],
      ['foreign', sevenZip(() => page), reads(1, '7zip.7zip rejected: ')],
      [
        'retitled',
        sevenZip((text) => text.replace('7zip.7zip', 'Other.7zip')),
        reads(1, '7zip.7zip rejected: it is of Other.7zip'),
      ],
      [
        'half-typed',
        sevenZip((text) => text.replace(/Installers:\n[^]*Manifest/, 'Installers: none\nManifest')),
        reads(1, '7zip.7zip rejected: Installers: '),
      ],
      [
        'half-typed',
        sevenZip(
          (text) => `${text}AppsAndFeaturesEntries: none\nInstallerSwitches:\n  Silent: [a]\n`,
        ),
        [
          2,
          "7-Zip: winget's InstallerSwitches has another form; left out",
          "7-Zip: winget's AppsAndFeaturesEntries has another form; left out",
          noSource,
        ],
      ],
      ['emptied', sevenZip(() => ''), reads(1, '7zip.7zip rejected: ')],
    ],
  ],
});
