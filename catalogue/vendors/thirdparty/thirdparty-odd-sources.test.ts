/** Sources of third-party applications that break off, contradict each other or say what no vocabulary has. */
import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Entry, Publication } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { entryOf, fixtures, now, readings } from './testing/fixture-readings.ts';
import { wingetIndex } from './winget-addresses.ts';

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
