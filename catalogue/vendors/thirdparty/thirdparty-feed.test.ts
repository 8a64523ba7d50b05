import { expect, test } from 'vitest';
import { entryOf, readings } from './testing/fixture-readings.ts';
import { applications } from './thirdparty-applications.ts';
import { thirdPartyCategories } from './thirdparty-list.ts';

test('the list of applications: enough of them, each once, in every category', () => {
  expect(applications.length).toBeGreaterThanOrEqual(25);
  expect(new Set(applications.map(({ id }) => id)).size).toBe(applications.length);
  expect(new Set(applications.map(({ category }) => category))).toEqual(
    new Set(thirdPartyCategories),
  );
});

test('an application in full: its folder found though the index lost a zero, what all installers share, what one has of its own', async () => {
  const application = await entryOf('compression', '7zip.7zip');
  expect(application?.row).toEqual({
    uuid: 'c26a52de-35f7-5e73-b7e1-290fa45de024',
    name: '7-Zip',
    manufacturer: 'Igor Pavlov',
    description: 'Packs and unpacks.',
    category: 'COMPRESSION',
  });
  const { releasePackages, ...facts } = application?.detail ?? {};
  const told = { osPlatform: 'WINDOWS', releaseDate: null, notesLink: null };
  expect(facts).toEqual({
    packageId: '7zip.7zip',
    version: '31.02',
    versionNote: null,
    releaseDate: Date.UTC(2031, 5, 1),
    releaseNotes: '- 7-Zip could crash on a damaged archive.\n- Some bugs were fixed.',
    releaseNotesLink: 'https://7-zip.org/history.txt',
    referenceLink: 'https://7-zip.org/download.html',
    tags: ['archive', '7z'],
    versions: [
      {
        ...told,
        source: 'winget',
        version: '31.02',
        releaseDate: Date.UTC(2031, 5, 1),
        standing: 'Newest',
        notesLink: 'https://7-zip.org/history.txt',
      },
      { ...told, source: 'Scoop', version: '31.02', standing: 'The same release' },
    ],
  });
  const common = {
    version: '31.02',
    osPlatform: 'WINDOWS',
    unversionedUrl: false,
    vendorChecksum: false,
    scope: null,
    silentSwitches: null,
    progressSwitches: null,
    locationSwitch: null,
    customSwitches: null,
    productCode: null,
    upgradeCode: null,
    displayVersion: null,
  };
  expect(releasePackages).toEqual([
    {
      ...common,
      name: '7-Zip x64 exe machine',
      osArch: 'x64',
      osVersion: '10.0.17763.0',
      downloadUrl: 'https://7-zip.org/a/7z3102-x64.exe',
      checksum: 'a'.repeat(64),
      installerType: 'exe',
      scope: 'machine',
      silentSwitches: '/S',
      progressSwitches: '/S',
      locationSwitch: '/D="<INSTALLPATH>"',
      productCode: '7-Zip',
    },
    {
      ...common,
      name: '7-Zip x64 wix user en-US',
      osArch: 'x64',
      osVersion: '10.0.19041.0',
      downloadUrl: 'https://7-zip.org/a/7z3102-x64.msi',
      checksum: 'b'.repeat(64),
      installerType: 'wix',
      scope: 'user',
      silentSwitches: '/quiet',
      progressSwitches: '/S',
      locationSwitch: 'INSTALLDIR="<INSTALLPATH>"',
      productCode: '{23170F69-40C1-2702-3102-000001000000}',
      upgradeCode: '{23170F69-40C1-2702-0000-000004000000}',
      displayVersion: '31.02.00.0',
    },
    {
      ...common,
      name: '7-Zip x64 msi',
      osArch: 'x64',
      osVersion: null,
      downloadUrl: 'https://github.com/ip7z/7zip/releases/download/31.02/7z3102-x64.msi',
      checksum: 'f'.repeat(64),
      installerType: 'msi',
    },
    {
      ...common,
      name: '7-Zip x86 msi',
      osArch: 'x86',
      osVersion: null,
      downloadUrl: 'https://github.com/ip7z/7zip/releases/download/31.02/7z3102.msi',
      checksum: `sha512:${'1'.repeat(128)}`,
      installerType: 'msi',
    },
  ]);
});

test('of many languages one is kept; the description is in the language of the package', async () => {
  const application = await entryOf('compression', 'RARLab.WinRAR');
  expect(application?.row.description).toBe('Packt.\nEntpackt.');
  expect(application?.detail).toMatchObject({ version: '9.10' });
  expect(application?.detail.releasePackages).toMatchObject([
    { name: 'WinRAR x64 exe en-GB' },
    { name: 'WinRAR x86 exe en-GB' },
  ]);
});

test('a package of one file', async () => {
  const application = await entryOf('office', 'SumatraPDF.SumatraPDF');
  expect(application?.row.description).toBe('Reads PDF.');
  expect(application?.detail.releasePackages).toHaveLength(1);
});

test('an address that is the same for every version is flagged', async () => {
  const application = await entryOf('browser', 'Google.Chrome');
  expect(application?.row).toMatchObject({ name: 'Google Chrome', manufacturer: 'Google LLC' });
  expect(application?.detail.releasePackages).toMatchObject([
    { unversionedUrl: true, checksum: 'd'.repeat(64) },
  ]);
});

test('Mozilla: the newest of a channel with its date, the versions before it, none of another channel, no builds for testers', async () => {
  const firefox = await entryOf('browser', 'Mozilla.Firefox');
  // The day of winget's manifest is that of its package.
  expect(firefox?.detail).toMatchObject({ version: '201.0.1', releaseDate: Date.UTC(2031, 5, 10) });
  const packages = firefox?.detail.releasePackages as Record<
    'version' | 'osArch' | 'osPlatform' | 'downloadUrl',
    string
  >[];
  expect([...new Set(packages.map(({ version }) => version))]).toEqual([
    '201.0.1',
    '201.0',
    '200.0',
    '66.0',
  ]);
  expect(packages.filter(({ version }) => version === '66.0').map(({ osArch }) => osArch)).toEqual([
    'x64',
    'x86',
    'neutral',
  ]);
  expect(packages[2]).toMatchObject({
    osArch: 'arm64',
    downloadUrl:
      'https://download-installer.cdn.mozilla.net/pub/firefox/releases/201.0.1/win64-aarch64/en-US/Firefox%20Setup%20201.0.1.exe',
  });
  const esr = await entryOf('browser', 'Mozilla.Firefox.ESR');
  expect(esr?.detail).toMatchObject({ version: '192.4.0esr', releaseDate: Date.UTC(2031, 5, 1) });
  const esrPackages = esr?.detail.releasePackages as typeof packages;
  expect([...new Set(esrPackages.map(({ version }) => version))]).toEqual([
    '192.4.0esr',
    '192.3.1esr',
  ]);
  expect(esrPackages[0]?.downloadUrl).toBe(
    'https://download-installer.cdn.mozilla.net/pub/firefox/releases/192.4.0esr/win64/en-US/Firefox%20Setup%20192.4.0esr.exe',
  );
});

test('Scoop, casks and Chrome for Testing where winget has nothing', async () => {
  expect((await entryOf('browser', 'TorProject.TorBrowser'))?.detail.releasePackages).toMatchObject(
    [{ version: '22.0', osArch: null, checksum: '2'.repeat(64), unversionedUrl: false }],
  );
  const libreoffice = await entryOf('office', 'TheDocumentFoundation.LibreOffice');
  expect(libreoffice?.row.description).toBe('Office suite');
  expect(libreoffice?.detail).toMatchObject({
    version: '31.2.1',
    releasePackages: [
      { osPlatform: 'MACOS', osArch: 'x64', osVersion: '12', checksum: null },
      { osPlatform: 'MACOS', osArch: 'arm64', checksum: '3'.repeat(64) },
    ],
  });
  expect(
    (await entryOf('browser', 'Google.ChromeForTesting'))?.detail.releasePackages,
  ).toMatchObject([
    { osPlatform: 'WINDOWS', version: '201.0.7001.5' },
    { osPlatform: 'beos', osArch: null, version: '201.0.7001.5' },
  ]);
});

test('what only the index knows is listed without installers; what nobody knows and what is damaged is said', async () => {
  const read = await readings('compression');
  expect(read.flatMap((reading) => (reading.kind === 'entry' ? [reading.key] : []))).toEqual([
    '7zip.7zip',
    'RARLab.WinRAR',
    'Bandisoft.Bandizip',
    'Corel.WinZip',
  ]);
  expect(read.filter((reading) => reading.kind !== 'entry')).toEqual([
    {
      kind: 'rejection',
      rejected: 'Giorgiotani.Peazip',
      reason: 'Installers: Invalid input: expected array, received string',
      url: 'https://raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/g/Giorgiotani/Peazip/12.0.0/Giorgiotani.Peazip.installer.yaml',
    },
    { kind: 'remark', remark: 'None of their sources publishes 7-Zip ZS, NanaZip' },
    {
      kind: 'remark',
      remark: 'No source publishes an installer of Bandizip, WinZip: they are listed without',
    },
  ]);
});

test('installers of the newest version come first, in whichever scheme it is numbered', async () => {
  const office = (await entryOf('office', 'Apache.OpenOffice'))?.detail.releasePackages;
  expect(office).toMatchObject([
    { version: '4.2.17', unversionedUrl: false },
    { version: '4.216.9916', unversionedUrl: false, name: 'OpenOffice x86 nullsoft machine en-US' },
  ]);
});
