/** Sources of third-party applications that are truncated, contradict each other or use unknown words. */
import { expect, test } from 'vitest';
import { documentFrom } from '../../testing/document-from.ts';
import { formatLine } from '../../testing/feed-reader.ts';
import { entries, instead, readings, said } from './testing/fixture-readings.ts';
import { toCaskAddress, toScoopAddress } from './thirdparty-documents.ts';
import { readWingetIndex, toWingetManifest, wingetIndex } from './winget-addresses.ts';

test.each([
  [
    'office',
    'Apache.OpenOffice',
    '4.2.17',
    '4.216.9916 is called 4.2.16 in its download address.',
    ['winget 4.216.9916 Older', 'Scoop 4.2.17 Newest'],
  ],
  [
    'browser',
    'Waterfox.Waterfox',
    null,
    'Numbered in schemes that nothing relates, so none is called the newest: 6.8.1 of Scoop, 2031.8 of winget.',
    ['Scoop 6.8.1 Not comparable', 'winget 2031.8 Not comparable'],
  ],
])(
  'compares the versions of the sources of a %s: %s',
  async (category, id, version, versionNote, versions) => {
    const { row, detail } = (await entries(category)).get(id) ?? {};
    const rows = detail?.versions as readonly Record<string, string>[];
    expect([row?.version, detail?.versionNote]).toEqual([version, versionNote]);
    expect(rows.map((of) => `${of['source']} ${of['version']} ${of['standing']}`)).toEqual(
      versions,
    );
  },
);

test("shows Mozilla's checksums, and adds a remark on a catalogue that contradicts one", async () => {
  const { releasePackages } = (await entries('browser')).get('Mozilla.Firefox')?.detail ?? {};
  const rows = releasePackages as readonly Record<string, unknown>[];
  const sums = rows
    .filter(({ version }) => ['201.0.1', '66.0'].includes(String(version)))
    .map(({ osPlatform, osArch, checksum, vendorChecksum, silentSwitches }) =>
      formatLine([osPlatform, osArch, checksum, vendorChecksum, silentSwitches]),
    );
  expect(sums).toEqual([
    'WINDOWS x86 8… true /S /PreventRebootRequired=true',
    `WINDOWS x64 ${'a1'.repeat(32)} true /S /PreventRebootRequired=true`,
    `WINDOWS arm64 ${'a2'.repeat(32)} true -`,
    `MACOS neutral ${'a3'.repeat(32)} true -`,
    `WINDOWS x64 sha512:${'b6'.repeat(64)} true -`,
    'WINDOWS x86 - - -',
    `MACOS neutral sha512:${'b7'.repeat(64)} true -`,
  ]);
  expect(await said('browser')).toContain(
    'A catalogue names another checksum than the vendor, whose own is shown: https://download-installer.cdn.mozilla.net/pub/firefox/releases/201.0.1/win64/en-US/Firefox%20Setup%20201.0.1.exe',
  );
});

test.each([
  [
    'office',
    'Kingsoft.WPSOffice',
    [
      'installer type squirrel -',
      'architecture riscv64 -',
      'scope everyone -',
      'architecture loong64 -',
    ],
  ],
  ['browser', 'Google.ChromeForTesting', ['platform beos -']],
  ['browser', 'Mozilla.Firefox', ['release category rapid a build for testers']],
])('reports unknown words of the %s %s', async (category, id, words) => {
  const read = await entries(category);
  expect(read.get(id)?.unknownWords?.map(formatLine)).toEqual(words);
  const others = [...(await entries('compression')).values()];
  expect(others.filter(({ unknownWords }) => unknownWords !== undefined)).toEqual([]);
});

test('shows unknown words as written, and leaves out test builds', async () => {
  const packages = async (category: string, id: string) =>
    (await entries(category)).get(id)?.detail.releasePackages;
  expect(await packages('office', 'Kingsoft.WPSOffice')).toMatchObject([
    { osArch: 'riscv64', installerType: 'squirrel', scope: 'everyone', silentSwitches: null },
    { osArch: 'x64', installerType: 'exe', scope: 'user' },
    { osArch: 'loong64' },
  ]);
  expect(await packages('browser', 'Mozilla.Firefox')).not.toContainEqual(
    expect.objectContaining({ version: '202.0' }),
  );
});

test('requests no manifest of a version that cannot be a folder', async () => {
  const index =
    '[{"PackageId":"7zip.7zip","Version":"../../x"},{"PackageId":"RARLab.WinRAR","Version":".."}]';
  const publication = instead((url) => (url === wingetIndex ? index : undefined));
  await readings('compression', publication);
  const folder = 'https://raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/';
  const manifests = publication.requested.filter((url) => url.startsWith(folder));
  expect(new Set(manifests.map((url) => url.slice(folder.length, url.lastIndexOf('/'))))).toEqual(
    new Set(['7/7zip/7zip/31.02']),
  );
});

const [newer, older] = [
  { PackageId: '7zip.7zip', Version: '31.02', LastUpdate: '2031-06-01T00:00:00Z' },
  { PackageId: '7zip.7zip', Version: '31.01', LastUpdate: '2031-05-01T02:00:00+02:00' },
];
const twice =
  '7zip.7zip: The vendor lists it twice with different contents. The newer entry is used.';
test.each([
  ['newer date, first', [newer, older], '31.02', 1],
  ['newer date, last', [older, newer], '31.02', 1],
  ['newer date and older version', [{ ...older, Version: '31.10' }, newer], '31.02', 1],
  [
    'newer version of the same date',
    [
      { ...newer, Version: '31.9' },
      { ...newer, Version: '31.10' },
    ],
    '31.10',
    1,
  ],
  [
    'newer version without dates',
    [
      { ...newer, LastUpdate: null },
      { ...older, LastUpdate: null },
    ],
    '31.02',
    1,
  ],
  ['same contents', [newer, { ...newer }], '31.02', 0],
])(
  'reads of two entries of one package that with the %s',
  async (_which, packages, version, remarks) => {
    const document = documentFrom(wingetIndex, JSON.stringify(packages));
    const { entries: read } = await readWingetIndex(document, new Set(['7zip.7zip']));
    expect(read.get('7zip.7zip')?.version).toBe(version);
    const publication = instead((url) =>
      url === wingetIndex ? JSON.stringify(packages) : undefined,
    );
    const lines = (await said('compression', publication)).filter((line) => line === twice);
    expect(lines).toHaveLength(remarks);
  },
);

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const mozilla = 'https://product-details.mozilla.org/1.0/firefox_versions.json';
test.each([
  [
    'compression',
    '7zip.7zip',
    toWingetManifest('7zip.7zip', '31.02', 'installer'),
    utf16('PackageVersion: 31.02'),
  ],
  [
    'compression',
    '7zip.7zip',
    toWingetManifest('7zip.7zip', '31.02', 'locale.en-US'),
    latin1('PackageVersion: 31.02\nPublisher: Andr\u00E9'),
  ],
  [
    'compression',
    'RARLab.WinRAR',
    toWingetManifest('RARLab.WinRAR', '9.10', null),
    utf16('ManifestType: version'),
  ],
  ['compression', '7zip.7zip', toScoopAddress('Main/7zip'), latin1('{"version":"\u00E9"}')],
  ['office', 'TheDocumentFoundation.LibreOffice', toCaskAddress('libreoffice'), utf16('{}')],
  ['browser', 'Mozilla.Firefox Mozilla.Firefox.ESR', mozilla, latin1('{"a":"\u00E9"}')],
])(
  'rejects only the applications of a document that is not UTF-8: %s %s %s',
  async (category, ids, url, bytes) => {
    const publication = instead((address) => (address === url ? bytes : undefined));
    const before = await entries(category);
    const after = await entries(category, publication);
    const rejected = ids.split(' ');
    expect([...before.keys()]).toEqual(expect.arrayContaining(rejected));
    expect([...after.keys()]).toEqual([...before.keys()].filter((key) => !rejected.includes(key)));
    expect(
      (await readings(category, publication)).filter(({ kind }) => kind === 'rejection'),
    ).toContainEqual(
      expect.objectContaining({
        rejected: rejected[0],
        url,
        reason: expect.stringContaining('is not UTF-8'),
      }),
    );
    expect(publication.distrusted).toContain(url);
  },
);
