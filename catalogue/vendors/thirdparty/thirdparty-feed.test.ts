import { expect, test } from 'vitest';
import { entries, said, showEntry } from './testing/fixture-readings.ts';
import { applications } from './thirdparty-applications.ts';
import { thirdPartyCategories } from './thirdparty-list.ts';

test('lists at least 25 distinct applications in every category', () => {
  expect(applications.length).toBeGreaterThanOrEqual(25);
  expect(new Set(applications.map(({ id }) => id)).size).toBe(applications.length);
  expect(new Set(applications.map(({ category }) => category))).toEqual(
    new Set(thirdPartyCategories),
  );
});

test('reads every field of an application whose version lost a zero in the index', async () => {
  const files = 'https://github.com/ip7z/7zip/releases/download/31.02';
  expect(await showEntry('compression', '7zip.7zip')).toEqual({
    uuid: 'c26a52de-35f7-5e73-b7e1-290fa45de024',
    name: '7-Zip',
    manufacturer: 'Igor Pavlov',
    description: 'Packs and unpacks.',
    category: 'COMPRESSION',
    packageId: '7zip.7zip',
    version: '31.02',
    releaseDate: Date.UTC(2031, 5, 1),
    releaseNotes: '- 7-Zip could crash on a damaged archive.\n- Some bugs were fixed.',
    releaseNotesLink: 'https://7-zip.org/history.txt',
    referenceLink: 'https://7-zip.org/download.html',
    tags: ['archive', '7z'],
    versions: [
      `winget 31.02 WINDOWS ${Date.UTC(2031, 5, 1)} Newest https://7-zip.org/history.txt`,
      'Scoop 31.02 WINDOWS - The same release -',
    ],
    releasePackages: [
      '7-Zip x64 exe machine 31.02 WINDOWS x64 10.0.17763.0 https://7-zip.org/a/7z3102-x64.exe a… false false exe machine /S /S /D="<INSTALLPATH>" - 7-Zip - -',
      '7-Zip x64 wix user en-US 31.02 WINDOWS x64 10.0.19041.0 https://7-zip.org/a/7z3102-x64.msi b… false false wix user /quiet /S INSTALLDIR="<INSTALLPATH>" - {23170F69-40C1-2702-3102-000001000000} {23170F69-40C1-2702-0000-000004000000} 31.02.00.0',
      `7-Zip x64 msi 31.02 WINDOWS x64 - ${files}/7z3102-x64.msi f… false false msi - - - - - - - -`,
      `7-Zip x86 msi 31.02 WINDOWS x86 - ${files}/7z3102.msi sha512:1… false false msi - - - - - - - -`,
    ],
  });
});

const table = async (category: string, id: string) =>
  (await showEntry(category, id))['releasePackages'] as readonly string[];

test.each([
  [
    'takes one language of many, and the description in the language of the package',
    'compression',
    'RARLab.WinRAR',
    { version: '9.10', description: 'Packt.\nEntpackt.' },
    [/^WinRAR x64 exe en-GB /, /^WinRAR x86 exe en-GB /],
  ],
  [
    'reads a package of one file',
    'office',
    'SumatraPDF.SumatraPDF',
    { description: 'Reads PDF.' },
    [/./],
  ],
  [
    'flags an address without a version',
    'browser',
    'Google.Chrome',
    { name: 'Google Chrome', manufacturer: 'Google LLC' },
    [/ d… false true wix /],
  ],
  [
    'reads Scoop without a winget manifest',
    'browser',
    'TorProject.TorBrowser',
    {},
    [/ 22\.0 WINDOWS - \S+ \S+ 2… \S+ false /],
  ],
  [
    'reads casks without a winget manifest',
    'office',
    'TheDocumentFoundation.LibreOffice',
    { version: '31.2.1', description: 'Office suite' },
    [/ MACOS x64 12 \S+ - /, / MACOS arm64 \S+ \S+ 3… /],
  ],
  [
    'reads Chrome for Testing from its vendor',
    'browser',
    'Google.ChromeForTesting',
    {},
    [/ 201\.0\.7001\.5 WINDOWS /, / 201\.0\.7001\.5 beos - /],
  ],
  [
    'sorts installers of the newest version first across numbering schemes',
    'office',
    'Apache.OpenOffice',
    {},
    [
      / 4\.2\.17 .* false false exe /,
      /^OpenOffice x86 nullsoft machine en-US 4\.216\.9916 .* false false nullsoft /,
    ],
  ],
])('%s', async (_words, category, id, stated, installers) => {
  expect(await showEntry(category, id)).toMatchObject(stated);
  expect(await table(category, id)).toEqual(
    installers.map((installer) => expect.stringMatching(installer)),
  );
});

test("reads Mozilla's newest version of the channel with its date and the earlier ones, without other channels and test builds", async () => {
  const listVersions = (rows: readonly string[]) => [
    ...new Set(rows.map((row) => / (\d[\d.]+(?:esr)?) (?:WINDOWS|MACOS) /.exec(row)?.[1])),
  ];
  const files = 'https://download-installer.cdn.mozilla.net/pub/firefox/releases';
  // The date in winget's manifest is the date of its package.
  expect(await showEntry('browser', 'Mozilla.Firefox')).toMatchObject({
    version: '201.0.1',
    releaseDate: Date.UTC(2031, 5, 10),
  });
  const firefox = await table('browser', 'Mozilla.Firefox');
  expect(listVersions(firefox)).toEqual(['201.0.1', '201.0', '200.0', '66.0']);
  expect(firefox.filter((row) => / 66\.0 /.test(row))).toEqual(
    ['WINDOWS x64', 'WINDOWS x86', 'MACOS neutral'].map((of) => expect.stringContaining(of)),
  );
  expect(firefox[2]).toContain(
    `arm64 - ${files}/201.0.1/win64-aarch64/en-US/Firefox%20Setup%20201.0.1.exe `,
  );
  expect(await showEntry('browser', 'Mozilla.Firefox.ESR')).toMatchObject({
    version: '192.4.0esr',
    releaseDate: Date.UTC(2031, 5, 1),
  });
  const esr = await table('browser', 'Mozilla.Firefox.ESR');
  expect(listVersions(esr)).toEqual(['192.4.0esr', '192.3.1esr']);
  expect(esr[0]).toContain(`${files}/192.4.0esr/win64/en-US/Firefox%20Setup%20192.4.0esr.exe `);
});

test('lists applications of the index without installers, and adds remarks on missing and damaged ones', async () => {
  expect([...(await entries('compression')).keys()]).toEqual([
    '7zip.7zip',
    'RARLab.WinRAR',
    'Bandisoft.Bandizip',
    'Corel.WinZip',
  ]);
  expect(await said('compression')).toEqual([
    'Giorgiotani.Peazip: Installers: Invalid input: expected array, received string',
    'None of their sources publishes 7-Zip ZS, NanaZip',
    'No source publishes an installer of Bandizip, WinZip: they are listed without',
  ]);
});
