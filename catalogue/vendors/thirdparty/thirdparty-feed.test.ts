import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, Entry, FeedItem, Publication } from '../../definition/feed.ts';
import { feedRemarkText } from '../../definition/feed-remark.ts';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { applications } from './thirdparty-applications.ts';
import { scoopAddress } from './thirdparty-documents.ts';
import { thirdpartyFeed } from './thirdparty-feed.ts';
import { thirdPartyCategories } from './thirdparty-list.ts';
import { wingetIndex, wingetManifest } from './winget-addresses.ts';

const fixtures = new URL('./fixtures/', import.meta.url);
const now = Date.UTC(2031, 5, 3, 12);

async function readings(category: string, over: Partial<Publication> = {}): Promise<FeedItem[]> {
  const part = partOf(thirdpartyFeed, category);
  return readingsOf(part, await part.contents({ ...publicationFrom(fixtures, { now }), ...over }));
}

async function entryOf(category: string, id: string): Promise<Entry | undefined> {
  return (await readings(category))
    .filter((reading) => reading.kind === 'entry')
    .find(({ key }) => key === id);
}

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

const urlsOf = (documents: readonly Document[]) => documents.map(({ url }) => url);

/** A second sync, with what it asks for and with other documents in place of those of the fixtures. */
async function secondSync(category: string, served: Readonly<Record<string, string | null>> = {}) {
  const part = partOf(thirdpartyFeed, category);
  const publication = publicationFrom(fixtures, { now });
  const first = await part.contents(publication);
  const asked: string[] = [];
  const open: Publication['open'] = async (url, options) => {
    asked.push(url);
    const text = served[url];
    if (text === null) throw new NotPublished(url);
    return text === undefined ? publication.open(url, options) : documentFrom(url, text);
  };
  const second = await part.contents({
    ...publication,
    open,
    readLast: async () => first.documents,
    readWholeAt: now - 1000,
  });
  const entries = (await allOf(part.read(second))).filter((reading) => reading.kind === 'entry');
  return { first, second, asked, entries: new Map(entries.map((entry) => [entry.key, entry])) };
}

test('what is not published is asked for again each time', async () => {
  const { first, second, asked } = await secondSync('compression');
  expect(second.whole).toBe(true);
  expect(urlsOf(second.documents)).toEqual(urlsOf(first.documents));
  expect(asked.length).toBeGreaterThan(first.documents.length);
});

test('what a newer document of a source leads to is asked for at once', async () => {
  const scoop = scoopAddress('Main/7zip');
  const { asked } = await secondSync('compression', {
    [scoop]: '{"version":"31.03","url":"https://e.org/7z3103.exe"}',
  });
  expect(asked).toContain(wingetManifest('7zip.7zip', '31.03', 'installer'));
});

test('a source that is not published any more says nothing any more', async () => {
  const { second, entries } = await secondSync('browser', { [scoopAddress('Extras/brave')]: null });
  expect(entries.get('Brave.Brave')?.detail).toMatchObject({
    version: '151.1.93.136',
    releasePackages: [],
  });
  expect(second.standIn).toBeUndefined();
});

test('a manifest that the index still names is read from its copy, which is said', async () => {
  const manifest = wingetManifest('7zip.7zip', '31.02', 'installer');
  const { first, second } = await secondSync('compression', { [manifest]: null });
  expect(urlsOf(second.documents)).toEqual(urlsOf(first.documents));
  expect(second.standIn?.map(feedRemarkText)).toEqual([
    `${manifest} is named and no longer published (not found). Its last copy was read.`,
  ]);
});

test.each([
  [
    'browser',
    'Brave.Brave',
    {
      version: '1.93.138',
      versionNote: '151.1.93.136 is numbered as 1.93.138 is, with 151 in front.',
      versions: [
        { source: 'Scoop', version: '1.93.138', standing: 'Newest' },
        { source: 'winget', version: '151.1.93.136', standing: 'Older' },
      ],
    },
  ],
  [
    'office',
    'Apache.OpenOffice',
    {
      version: '4.2.17',
      versionNote: '4.216.9916 is called 4.2.16 in its download address.',
      versions: [
        { source: 'winget', version: '4.216.9916', standing: 'Older' },
        { source: 'Scoop', version: '4.2.17', standing: 'Newest' },
      ],
    },
  ],
  [
    'browser',
    'Waterfox.Waterfox',
    {
      version: null,
      versionNote:
        'Numbered in schemes that nothing relates, so none is called the newest: 6.8.1 of Scoop, 2031.8 of winget.',
      versions: [
        { source: 'Scoop', version: '6.8.1', standing: 'Not comparable' },
        { source: 'winget', version: '2031.8', standing: 'Not comparable' },
      ],
    },
  ],
  [
    'office',
    'Kingsoft.WPSOffice',
    {
      version: '22.2.0.33196',
      versionNote: null,
      versions: [
        { source: 'winget', version: '22.2.0.33196', standing: 'Newest' },
        { source: 'Scoop', version: '22.2.0.33196', standing: 'The same release' },
      ],
    },
  ],
])('compares the versions that the sources of a %s tell of: %s', async (category, id, compared) => {
  expect((await entryOf(category, id))?.detail).toMatchObject(compared);
});

test('installers of the newest version come first, in whichever scheme it is numbered', async () => {
  const office = (await entryOf('office', 'Apache.OpenOffice'))?.detail.releasePackages;
  expect(office).toMatchObject([
    { version: '4.2.17', unversionedUrl: false },
    { version: '4.216.9916', unversionedUrl: false, name: 'OpenOffice x86 nullsoft machine en-US' },
  ]);
});

test("Mozilla's own checksums are shown, and a catalogue that contradicts one is named", async () => {
  const read = await readings('browser');
  const firefox = read.find(
    (reading) => reading.kind === 'entry' && reading.key === 'Mozilla.Firefox',
  ) as Entry;
  const packages = firefox.detail.releasePackages as Record<string, unknown>[];
  const shown = packages
    .filter(({ version }) => ['201.0.1', '66.0'].includes(version as string))
    .map(({ osPlatform, osArch, checksum, vendorChecksum, silentSwitches }) => [
      osPlatform,
      osArch,
      checksum,
      vendorChecksum,
      silentSwitches,
    ]);
  const silent = '/S /PreventRebootRequired=true';
  expect(shown).toEqual([
    ['WINDOWS', 'x86', '8'.repeat(64), true, silent],
    ['WINDOWS', 'x64', 'a1'.repeat(32), true, silent],
    ['WINDOWS', 'arm64', 'a2'.repeat(32), true, null],
    ['MACOS', 'neutral', 'a3'.repeat(32), true, null],
    ['WINDOWS', 'x64', `sha512:${'b6'.repeat(64)}`, true, null],
    ['WINDOWS', 'x86', null, null, null],
    ['MACOS', 'neutral', `sha512:${'b7'.repeat(64)}`, true, null],
  ]);
  expect(read).toContainEqual({
    kind: 'remark',
    remark:
      'A catalogue names another checksum than the vendor, whose own is shown: https://download-installer.cdn.mozilla.net/pub/firefox/releases/201.0.1/win64/en-US/Firefox%20Setup%20201.0.1.exe',
  });
});

test('words that no vocabulary has are reported, and shown as they are written', async () => {
  const office = await entryOf('office', 'Kingsoft.WPSOffice');
  expect(office?.unknownWords).toEqual([
    { vocabulary: 'installer type', word: 'squirrel', shownAs: null },
    { vocabulary: 'architecture', word: 'riscv64', shownAs: null },
    { vocabulary: 'scope', word: 'everyone', shownAs: null },
    { vocabulary: 'architecture', word: 'loong64', shownAs: null },
  ]);
  expect(office?.detail.releasePackages).toMatchObject([
    { osArch: 'riscv64', installerType: 'squirrel', scope: 'everyone', silentSwitches: null },
    { osArch: 'x64', installerType: 'exe', scope: 'user' },
    { osArch: 'loong64' },
  ]);
  expect((await entryOf('browser', 'Google.ChromeForTesting'))?.unknownWords).toEqual([
    { vocabulary: 'platform', word: 'beos', shownAs: null },
  ]);
  const firefox = await entryOf('browser', 'Mozilla.Firefox');
  expect(firefox?.unknownWords).toEqual([
    { vocabulary: 'release category', word: 'rapid', shownAs: 'a build for testers' },
  ]);
  expect(firefox?.detail.releasePackages).not.toContainEqual(
    expect.objectContaining({ version: '202.0' }),
  );
  expect(
    (await readings('compression')).filter(
      (reading) => reading.kind === 'entry' && reading.unknownWords !== undefined,
    ),
  ).toEqual([]);
});

test('an index that breaks off is not believed, one that is missing neither', async () => {
  const publication = publicationFrom(fixtures, { now });
  const served =
    (text: string): Publication['open'] =>
    async (url, options) =>
      url === wingetIndex ? documentFrom(url, text) : publication.open(url, options);
  await expect(readings('office', { open: served('[{"PackageId":"a"') })).rejects.toThrow(
    'ends too early',
  );
  const none: Publication['open'] = async (url) => {
    throw new NotPublished(url);
  };
  await expect(readings('office', { open: none })).rejects.toThrow(NotPublished);
});

test('no manifest is asked for under a version that is no folder', async () => {
  const publication = publicationFrom(fixtures, { now });
  const asked: string[] = [];
  const open: Publication['open'] = async (url, options) => {
    asked.push(url);
    if (url !== wingetIndex) return publication.open(url, options);
    return documentFrom(
      url,
      '[{"PackageId":"7zip.7zip","Version":"../../x"},{"PackageId":"RARLab.WinRAR","Version":".."}]',
    );
  };
  await readings('compression', { open });
  const folder = 'https://raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/';
  const manifests = asked.filter((url) => url.startsWith(folder));
  expect(new Set(manifests.map((url) => url.slice(folder.length, url.lastIndexOf('/'))))).toEqual(
    new Set(['7/7zip/7zip/31.02']),
  );
});
