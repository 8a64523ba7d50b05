import { expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { mergedAddresses } from './macos-catalogues.ts';
import { readDistribution } from './macos-distribution.ts';
import { macosFeed } from './macos-feed.ts';
import { asked, fixtures, now, software } from './testing/asked-fixtures.ts';

const versions = partOf(macosFeed, 'versions');

async function readings(part = software): Promise<FeedItem[]> {
  return readingsOf(part, await part.contents(publicationFrom(fixtures, { now })));
}

async function entries(part = software): Promise<Map<string, Entry>> {
  return new Map(
    (await readings(part))
      .filter((reading) => reading.kind === 'entry')
      .map((entry) => [entry.key, entry]),
  );
}

test('an installer in full: English strings, the version that its information names, text of its HTML', async () => {
  const product = (await entries()).get('901-00001');
  expect(product?.row).toEqual({
    productKey: '901-00001',
    title: 'macOS Tahoe',
    releaseDate: Date.UTC(2031, 4, 20, 17),
    osVersion: ['26'],
    version: '26.7.1',
    cve: ['CVE-2031-10001', 'CVE-2031-10002', 'CVE-2031-10003'],
    exploited: true,
  });
  expect(product?.detail).toEqual({
    build: '25G901',
    description: 'Apple\'s macOS Tahoe 26.7.1 fixes "lantern" & wick.\n\n- First\n- Second',
    distributionFileName: '901-00001.en.dist',
    restartBehaviour: 'Required',
    vendorRestart: ['None', 'RequireRestart'],
    securityContent: 'https://support.apple.com/en-us/198101',
    securityStatedBy: 'SOFA',
    vulnerabilities: [
      { cve: 'CVE-2031-10001', exploited: false },
      { cve: 'CVE-2031-10002', exploited: true },
      { cve: 'CVE-2031-10003', exploited: false },
    ],
    packages: [
      {
        name: 'InstallAssistant.pkg',
        size: 17_500_000_000,
        checksum: '6d1f0c2b3a495867768594a3b2c1d0e0f1e2d3c4',
        downloadUrl:
          'https://swcdn.apple.com/content/downloads/01/01/901-00001/aa/InstallAssistant.pkg',
      },
      {
        name: 'BuildManifest.plist',
        size: 2100,
        checksum: null,
        downloadUrl:
          'http://swcdn.apple.com/content/downloads/01/01/901-00001/aa/BuildManifest.plist',
      },
    ],
  });
});

test.each([
  [
    'without a distribution the server metadata speaks, rich text and all; the systems are those whose catalogues list it',
    '901-00002',
    { title: 'Lantern', osVersion: ['11', '14'], version: '24.1' },
    {
      description: 'Lantern 24 – fixes the wick.\nIt’s small.',
      distributionFileName: '901-00002.English.dist',
      restartBehaviour: 'Recommended',
    },
  ],
  [
    'without both it is called by its file; any language will do before none',
    'zzz901-0003',
    { title: 'CustomVoice_tr_TR_lale', osVersion: [], version: null },
    { distributionFileName: 'zzz901-0003.German.dist', restartBehaviour: null },
  ],
  [
    'of a distribution that is no XML its strings are read',
    '901-00004::1',
    { title: 'Security Update 2031-001', osVersion: ['10.15'], version: '2031-001' },
    { restartBehaviour: null },
  ],
  [
    'the older form: a choice in two elements, information without a dictionary, systems by what the script compares',
    '901-00005',
    { title: 'Lantern Office Update', osVersion: ['10.9', '14'], version: '5.0.2' },
    {
      build: '11M55',
      description: 'Plain words.',
      restartBehaviour: 'Log out required',
    },
  ],
])('%s', async (_words, key, row, detail) => {
  const product = (await entries()).get(key);
  expect(product?.row).toMatchObject(row);
  expect(product?.detail).toMatchObject(detail);
});

test('records that are none are kept out, what is missing or damaged is spoken of', async () => {
  const others = (await readings()).filter((reading) => reading.kind !== 'entry');
  const url = mergedAddresses(now).at(-1);
  expect(others).toEqual([
    {
      kind: 'rejection',
      rejected: '901-00006',
      reason: expect.stringContaining('Packages: ') as string,
      url,
    },
    {
      kind: 'rejection',
      rejected: '901-00005',
      reason: 'the catalogue lists it twice; the first is kept',
      url,
    },
    {
      kind: 'remark',
      remark:
        'Apple serves no description of 2 of 6 products (not found): they are called by their file names',
    },
    {
      kind: 'remark',
      remark: expect.stringMatching(
        /^What can be read was taken of damaged descriptions: 901-00004::1 \(not well formed at line \d+: .+\)$/,
      ) as string,
    },
    {
      kind: 'remark',
      remark: expect.stringMatching(
        /^Releases of SOFA's list that cannot be read: macOS Tahoe 26\.7 \(CVEs: .+\)$/,
      ) as string,
    },
  ]);
});

test('versions that no installer stands for are rows of their own', async () => {
  const read = await readings(versions);
  expect(read.map((reading) => (reading.kind === 'entry' ? reading.row : reading))).toEqual([
    {
      kind: 'rejection',
      rejected: 'PublicAssetSets, macOS 3',
      reason: 'Build is missing',
      url: 'https://gdmf.apple.com/v2/pmv',
    },
    {
      productKey: 'macOS-26.7.2-25G955',
      title: 'macOS 26.7.2',
      releaseDate: Date.UTC(2031, 4, 30),
      osVersion: ['26'],
      version: '26.7.2',
      cve: [],
      exploited: false,
    },
    {
      productKey: 'macOS-26.7.1(a)-25G909001a',
      title: 'macOS 26.7.1 (a)',
      releaseDate: Date.UTC(2031, 4, 25),
      osVersion: ['26'],
      version: '26.7.1 (a)',
      cve: ['CVE-2031-10009'],
      exploited: true,
    },
    { kind: 'remark', remark: expect.stringContaining('macOS Tahoe 26.7 (CVEs: ') as string },
  ]);
  const version = (await entries(versions)).get('macOS-26.7.2-25G955');
  expect(version?.row.version).toBe('26.7.2');
  expect(version?.detail).toEqual({
    build: '25G955',
    description: 'Supported devices: J214KAP, J314sAP, J414cAP.',
    securityContent: 'https://support.apple.com/en-us/100100',
    securityStatedBy: 'SOFA',
    vulnerabilities: [],
    packages: [],
  });
});

test('the list of versions is all that can be installed, and is no error page', async () => {
  expect((await versions.contents(publicationFrom(fixtures, { now }))).whole).toBe(true);
  const { publication } = asked({}, { 'https://gdmf.apple.com/v2/pmv': '<html>' });
  await expect(versions.contents(publication)).rejects.toThrow('it is not valid JSON');
});

test('a list that names no version of macOS is not believed: Apple always supports some', async () => {
  const { publication } = asked(
    {},
    { 'https://gdmf.apple.com/v2/pmv': '{"PublicAssetSets":{"iOS":[]}}' },
  );
  await expect(versions.contents(publication)).rejects.toThrow('it names no version of macOS');
});

test('a distribution in the encoding it declares is read, one that was damaged on its way is not believed', async () => {
  const xml = (encoding: string, title: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><installer-gui-script><title>${title}</title></installer-gui-script>`;
  const served = (body: Buffer) => ({
    ...documentFrom('https://swdist.apple.com/a.dist', ''),
    async *bytes() {
      yield body;
    },
  });
  expect(
    (await readDistribution(served(Buffer.from(xml('ISO-8859-1', 'Lanterné'), 'latin1')))).title,
  ).toBe('Lanterné');
  expect(
    (await readDistribution(served(Buffer.from(`\uFEFF${xml('UTF-16', 'Lanterné')}`, 'utf16le'))))
      .title,
  ).toBe('Lanterné');
  await expect(
    readDistribution(served(Buffer.from(xml('UTF-8', 'Lanterné'), 'latin1'))),
  ).rejects.toThrow('the text is not UTF-8');
});
