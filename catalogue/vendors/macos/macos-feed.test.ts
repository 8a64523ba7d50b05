import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, Entry, FeedItem, Publication } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { mergedAddresses } from './macos-catalogues.ts';
import { readDistribution } from './macos-distribution.ts';
import { macosFeed } from './macos-feed.ts';
import { sofaAddress } from './sofa-releases.ts';

const now = Date.UTC(2026, 3, 12);
const fixtures = new URL('./fixtures/', import.meta.url);
const software = partOf(macosFeed, 'software');
const versions = partOf(macosFeed, 'versions');

/** The fixtures, with what was asked for and what is served instead. */
function asked(over: Partial<Publication> = {}, served: Readonly<Record<string, string>> = {}) {
  const publication = publicationFrom(fixtures, { now });
  const urls: string[] = [];
  const open: Publication['open'] = async (url, options) => {
    urls.push(url);
    const text = served[url];
    return text === undefined ? publication.open(url, options) : documentFrom(url, text);
  };
  return { urls, publication: { ...publication, open, ...over } satisfies Publication };
}

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

test('a catalogue leads to Apple alone, beside SOFA, and server metadata are asked for only where the distribution says too little', async () => {
  const { urls, publication } = asked();
  const contents = await software.contents(publication);
  expect(contents.whole).toBe(true);
  expect(urls.filter((url) => !/^https:\/\/[a-z.]+\.apple\.com\//.test(url))).toEqual([
    sofaAddress,
  ]);
  expect(urls.filter((url) => url.endsWith('.smd'))).toEqual([
    'https://swcdn.apple.com/content/downloads/01/02/901-00002/bb/Lantern24.smd',
  ]);
});

test('the newest catalogue is found by the year, its gzip form when that is the only one', async () => {
  expect(mergedAddresses(Date.UTC(2025, 10, 1))).toHaveLength(1);
  expect(
    mergedAddresses(Date.UTC(2027, 0, 1)).map((url) => /index-([\d-]+-15)-/.exec(url)?.[1]),
  ).toEqual(['28-27-26-15', '27-26-15', '26-15']);
  const plain = mergedAddresses(now).at(-1) ?? '';
  const text = await (await publicationFrom(fixtures).open(plain)).text();
  const { publication } = asked();
  const onlyZipped = {
    ...publication,
    open: async (url: string) => {
      if (url === plain) throw new NotPublished(url);
      return url === `${plain}.gz` ? documentFrom(url, text) : publication.open(url);
    },
  };
  const contents = await software.contents(onlyZipped);
  expect(contents.documents[0]?.url).toBe(`${plain}.gz`);
  expect(
    (await readingsOf(software, contents)).filter((reading) => reading.kind === 'entry'),
  ).toHaveLength(6);
});

test('what was not served is asked for each time, and so are the catalogues of single systems', async () => {
  const { documents } = await software.contents(publicationFrom(fixtures, { now }));
  const again = asked({ readLast: async () => documents, readWholeAt: now - 60_000 });
  expect((await software.contents(again.publication)).whole).toBe(true);
  expect(again.urls.some((url) => url.endsWith('901-00002.English.dist'))).toBe(true);
  expect(again.urls.some((url) => url.endsWith('index-14.merged-1.sucatalog'))).toBe(true);
});

test('a distribution that is not served any more is read from its copy', async () => {
  const { documents } = await software.contents(publicationFrom(fixtures, { now }));
  const { publication } = asked({ readLast: async () => documents });
  const open: Publication['open'] = async (url, options) => {
    if (url.endsWith('.dist')) throw new NotPublished(url);
    return publication.open(url, options);
  };
  const contents = await software.contents({ ...publication, open, readWholeAt: null });
  expect(contents.documents.map(({ url }) => url).toSorted()).toEqual(
    documents.map(({ url }: Document) => url).toSorted(),
  );
});

test('a catalogue that was there and does not answer is not replaced by an older one', async () => {
  const [newest = ''] = mergedAddresses(now);
  const text = await (
    await publicationFrom(fixtures).open(mergedAddresses(now).at(-1) ?? '')
  ).text();
  const { publication } = asked({ readLast: async () => [documentFrom(newest, text)] });
  await expect(software.contents(publication)).rejects.toThrow(NotPublished);
});

test('a catalogue that breaks off or is none is not believed', async () => {
  const url = mergedAddresses(now).at(-1) ?? '';
  const text = await (await publicationFrom(fixtures).open(url)).text();
  for (const [served, problem] of [
    [text.slice(0, text.length / 2), 'not well formed'],
    ['<html><body>Sorry</body></html>', 'its outermost element is <html>, not <plist>'],
    ['{"error": 1}', 'it is no XML'],
    ['bplist00...', 'it is a binary property list'],
    [
      '<plist><dict><key>IndexDate</key><date>2031-01-01T00:00:00Z</date></dict></plist>',
      'it has no dictionary "Products"',
    ],
  ] as const) {
    await expect(software.contents(asked({}, { [url]: served }).publication)).rejects.toThrow(
      problem,
    );
  }
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
