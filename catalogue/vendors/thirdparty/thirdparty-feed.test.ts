import { expect, test } from 'vitest';
import { type Entry, NotPublished, type Publication, type Reading } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { applications } from './thirdparty-applications.ts';
import { thirdpartyFeed } from './thirdparty-feed.ts';
import { thirdPartyCategories } from './thirdparty-list.ts';
import { wingetIndex } from './winget-addresses.ts';

const fixtures = new URL('./fixtures/', import.meta.url);
const now = Date.UTC(2031, 5, 3);

async function readings(category: string, over: Partial<Publication> = {}): Promise<Reading[]> {
  const part = partOf(thirdpartyFeed, category);
  return allOf(part.read(await part.contents({ ...publicationFrom(fixtures, { now }), ...over })));
}

async function entryOf(category: string, id: string): Promise<Entry | undefined> {
  return (await readings(category)).filter((reading) => 'key' in reading).find(({ key }) => key === id);
}

test('the list of applications: enough of them, each once, in every category', () => {
  expect(applications.length).toBeGreaterThanOrEqual(25);
  expect(new Set(applications.map(({ id }) => id)).size).toBe(applications.length);
  expect(new Set(applications.map(({ category }) => category))).toEqual(new Set(thirdPartyCategories));
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
  expect(facts).toEqual({
    packageId: '7zip.7zip',
    version: '31.02',
    releaseDate: Date.UTC(2031, 5, 1),
    referenceLink: 'https://7-zip.org/download.html',
    tags: ['archive', '7z'],
  });
  const common = { version: '31.02', osPlatform: 'WINDOWS', unversionedUrl: false };
  expect(releasePackages).toEqual([
    {
      ...common,
      name: '7-Zip x64 exe machine',
      osArch: 'x64',
      osVersion: '10.0.17763.0',
      downloadUrl: 'https://7-zip.org/a/7z3102-x64.exe',
      checksum: 'a'.repeat(64),
    },
    {
      ...common,
      name: '7-Zip x64 wix user en-US',
      osArch: 'x64',
      osVersion: '10.0.19041.0',
      downloadUrl: 'https://7-zip.org/a/7z3102-x64.msi',
      checksum: 'b'.repeat(64),
    },
    {
      ...common,
      name: '7-Zip x64 msi',
      osArch: 'x64',
      osVersion: null,
      downloadUrl: 'https://github.com/ip7z/7zip/releases/download/31.02/7z3102-x64.msi',
      checksum: 'f'.repeat(64),
    },
    {
      ...common,
      name: '7-Zip x86 msi',
      osArch: 'x86',
      osVersion: null,
      downloadUrl: 'https://github.com/ip7z/7zip/releases/download/31.02/7z3102.msi',
      checksum: `sha512:${'1'.repeat(128)}`,
    },
  ]);
});

test('of many languages one is kept; the description is in the language of the package', async () => {
  const application = await entryOf('compression', 'RARLab.WinRAR');
  expect(application?.row.description).toBe('Packt.\nEntpackt.');
  expect(application?.detail).toMatchObject({ version: '9.10' });
  expect(application?.detail.releasePackages).toMatchObject([{ name: 'WinRAR x64 exe en-GB' }, { name: 'WinRAR x86 exe en-GB' }]);
});

test('a package of one file', async () => {
  const application = await entryOf('office', 'SumatraPDF.SumatraPDF');
  expect(application?.row.description).toBe('Reads PDF.');
  expect(application?.detail.releasePackages).toHaveLength(1);
});

test('an address that is the same for every version is flagged', async () => {
  const application = await entryOf('browser', 'Google.Chrome');
  expect(application?.row).toMatchObject({ name: 'Google Chrome', manufacturer: 'Google LLC' });
  expect(application?.detail.releasePackages).toMatchObject([{ unversionedUrl: true, checksum: 'd'.repeat(64) }]);
});

test('Mozilla: the newest of a channel with its date, the versions before it, none of another channel, no builds for testers', async () => {
  const firefox = await entryOf('browser', 'Mozilla.Firefox');
  expect(firefox?.detail).toMatchObject({ version: '201.0.1', releaseDate: Date.UTC(2031, 5, 9) });
  const packages = firefox?.detail.releasePackages as Record<'version' | 'osArch' | 'osPlatform' | 'downloadUrl', string>[];
  expect([...new Set(packages.map(({ version }) => version))]).toEqual(['201.0.1', '201.0', '200.0', '66.0']);
  expect(packages.filter(({ version }) => version === '66.0').map(({ osArch }) => osArch)).toEqual(['x64', 'x86', 'neutral']);
  expect(packages[2]).toMatchObject({
    osArch: 'arm64',
    downloadUrl:
      'https://download-installer.cdn.mozilla.net/pub/firefox/releases/201.0.1/win64-aarch64/en-US/Firefox%20Setup%20201.0.1.exe',
  });
  const esr = await entryOf('browser', 'Mozilla.Firefox.ESR');
  expect(esr?.detail).toMatchObject({ version: '192.4.0esr', releaseDate: Date.UTC(2031, 5, 1) });
  const esrPackages = esr?.detail.releasePackages as typeof packages;
  expect([...new Set(esrPackages.map(({ version }) => version))]).toEqual(['192.4.0esr', '192.3.1esr']);
  expect(esrPackages[0]?.downloadUrl).toBe(
    'https://download-installer.cdn.mozilla.net/pub/firefox/releases/192.4.0esr/win64/en-US/Firefox%20Setup%20192.4.0esr.exe',
  );
});

test('Scoop, casks and Chrome for Testing where winget has nothing', async () => {
  expect((await entryOf('browser', 'TorProject.TorBrowser'))?.detail.releasePackages).toMatchObject([
    { version: '22.0', osArch: null, checksum: '2'.repeat(64), unversionedUrl: false },
  ]);
  const libreoffice = await entryOf('office', 'TheDocumentFoundation.LibreOffice');
  expect(libreoffice?.row.description).toBe('Office suite');
  expect(libreoffice?.detail).toMatchObject({
    version: '31.2.1',
    releasePackages: [
      { osPlatform: 'MACOS', osArch: 'x64', osVersion: '12', checksum: null },
      { osPlatform: 'MACOS', osArch: 'arm64', checksum: '3'.repeat(64) },
    ],
  });
  expect((await entryOf('browser', 'Google.ChromeForTesting'))?.detail.releasePackages).toMatchObject([
    { osPlatform: 'WINDOWS', version: '201.0.7001.5' },
  ]);
});

test('what only the index knows is listed without installers; what nobody knows and what is damaged is said', async () => {
  const read = await readings('compression');
  expect(read.flatMap((reading) => ('key' in reading ? [reading.key] : []))).toEqual([
    '7zip.7zip',
    'RARLab.WinRAR',
    'Bandisoft.Bandizip',
    'Corel.WinZip',
  ]);
  expect(read.filter((reading) => !('key' in reading))).toEqual([
    {
      rejected: 'Giorgiotani.Peazip',
      reason: 'Installers: Invalid input: expected array, received string',
      url: 'https://raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/g/Giorgiotani/Peazip/12.0.0/Giorgiotani.Peazip.installer.yaml',
    },
    { remark: 'None of their sources publishes 7-Zip ZS, NanaZip' },
    { remark: 'No source publishes an installer of Bandizip, WinZip: they are listed without' },
  ]);
});

test('what is not published is asked for again each time', async () => {
  const part = partOf(thirdpartyFeed, 'compression');
  const publication = publicationFrom(fixtures, { now });
  const first = await part.contents(publication);
  const asked: string[] = [];
  const open: Publication['open'] = async (url, options) => {
    asked.push(url);
    return publication.open(url, options);
  };
  const readLast = async () => first.documents;
  expect((await part.contents({ ...publication, open, readLast, readWholeAt: now - 1000 })).whole).toBe(true);
  expect(asked.length).toBeGreaterThan(first.documents.length);
});

test('an index that breaks off is not believed, one that is missing neither', async () => {
  const publication = publicationFrom(fixtures, { now });
  const served =
    (text: string): Publication['open'] =>
    async (url, options) =>
      url === wingetIndex ? documentFrom(url, text) : publication.open(url, options);
  await expect(readings('office', { open: served('[{"PackageId":"a"') })).rejects.toThrow('ends too early');
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
    return documentFrom(url, '[{"PackageId":"7zip.7zip","Version":"../../x"},{"PackageId":"RARLab.WinRAR","Version":".."}]');
  };
  await readings('compression', { open });
  const folder = 'https://raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/';
  const manifests = asked.filter((url) => url.startsWith(folder));
  expect(new Set(manifests.map((url) => url.slice(folder.length, url.lastIndexOf('/'))))).toEqual(new Set(['7/7zip/7zip/31.02']));
});
