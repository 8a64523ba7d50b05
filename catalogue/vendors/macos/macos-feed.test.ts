import { expect, test } from 'vitest';
import { FetchFailed } from '../../definition/document-errors.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { createReader, formatEntry, formatMessages } from '../../testing/feed-reader.ts';
import { findPart } from '../../testing/find-part.ts';
import { isMergedCatalogue, listMergedAddresses } from './macos-catalogues.ts';
import { readDistribution } from './macos-distribution.ts';
import { macosFeed } from './macos-feed.ts';

/** A time at which the fixtures are recent. */
const now = Date.UTC(2026, 3, 12);
const { entries, fixtures, instead, readings, said } = createReader(macosFeed, { now });

test('reads every field of an installer: English strings, the stated version, text of its HTML', async () => {
  const address = 'swcdn.apple.com/content/downloads/01/01/901-00001/aa';
  expect(formatEntry((await entries('software')).get('901-00001'))).toEqual({
    productKey: '901-00001',
    title: 'macOS Tahoe',
    releaseDate: Date.UTC(2031, 4, 20, 17),
    osVersion: ['26'],
    version: '26.7.1',
    cve: ['CVE-2031-10001', 'CVE-2031-10002', 'CVE-2031-10003'],
    exploited: true,
    build: '25G901',
    description: 'Apple\'s macOS Tahoe 26.7.1 fixes "lantern" & wick.\n\n- First\n- Second',
    distributionFileName: '901-00001.en.dist',
    restartBehaviour: 'Required',
    vendorRestart: ['None', 'RequireRestart'],
    securityContent: 'https://support.apple.com/en-us/198101',
    securityStatedBy: 'SOFA',
    vulnerabilities: ['CVE-2031-10001 false', 'CVE-2031-10002 true', 'CVE-2031-10003 false'],
    packages: [
      `InstallAssistant.pkg 17500000000 6d1f0c2b3a495867768594a3b2c1d0e0f1e2d3c4 https://${address}/InstallAssistant.pkg`,
      `BuildManifest.plist 2100 - http://${address}/BuildManifest.plist`,
    ],
  });
});

test.each([
  [
    'reads the server metadata without a distribution, and takes the systems from the catalogues',
    '901-00002',
    {
      title: 'Lantern',
      osVersion: ['11', '14'],
      version: '24.1',
      description: 'Lantern 24 – fixes the wick.\nIt’s small.',
      distributionFileName: '901-00002.English.dist',
      restartBehaviour: 'Recommended',
    },
  ],
  [
    'names a product by its file without either, and accepts a distribution in any language',
    'zzz901-0003',
    {
      title: 'CustomVoice_tr_TR_lale',
      osVersion: undefined,
      version: undefined,
      distributionFileName: 'zzz901-0003.German.dist',
      restartBehaviour: undefined,
    },
  ],
  [
    'reads the strings of a distribution that is not XML',
    '901-00004::1',
    {
      title: 'Security Update 2031-001',
      osVersion: ['10.15'],
      version: '2031-001',
      restartBehaviour: undefined,
    },
  ],
  [
    'reads the older form: a choice in two elements, information without a dictionary, systems from scripts, an unknown restart word',
    '901-00005',
    {
      title: 'Lantern Office Update',
      osVersion: ['10.9', '14'],
      version: '5.0.2',
      build: '11M55',
      description: 'Plain words.',
      restartBehaviour: 'Log out required',
      vendorRestart: ['RequireLogout', 'RequireRelaunch'],
    },
  ],
])('%s', async (_words, key, expected) => {
  const product = (await entries('software')).get(key);
  const missing = { osVersion: undefined, version: undefined, restartBehaviour: undefined };
  expect({ ...missing, ...formatEntry(product) }).toMatchObject(expected);
  expect(product?.unknownWords).toEqual(
    key === '901-00005'
      ? [{ vocabulary: 'restart behaviour', word: 'RequireRelaunch', shownAs: 'nothing' }]
      : undefined,
  );
});

test('rejects invalid products, and adds remarks on missing and damaged descriptions', async () => {
  expect(await said('software')).toEqual([
    expect.stringMatching(/^901-00006: Packages: /),
    '901-00005: the catalogue lists it twice; the first is read',
    '901-00008: values that cannot be read were left out: Distributions.English, ServerMetadataURL',
    'Apple serves no description of 2 of 6 products (not found): they are called by their file names',
    expect.stringMatching(
      /^Damaged descriptions were read in part: 901-00004::1 \(not well formed at line \d+: .+\)$/,
    ),
    expect.stringMatching(
      /^Releases of SOFA's list that cannot be read: macOS Tahoe 26\.7 \(CVEs: .+\)$/,
    ),
  ]);
  const url = listMergedAddresses(now).at(-1);
  const rejections = (await readings('software')).filter(({ kind }) => kind === 'rejection');
  expect(rejections).toMatchObject([{ url }, { url }]);
});

test('says which values of a product have another form, and reads the others', async () => {
  const merged = listMergedAddresses(now).at(-1) ?? '';
  const catalogue = `<plist><dict><key>Products</key><dict><key>901-00009</key><dict>
    <key>ServerMetadataURL</key><string>https://elsewhere.example/a.smd</string>
    <key>Distributions</key><dict><key>English</key><string>901-00009.dist</string></dict>
    <key>Packages</key><array><dict>
      <key>URL</key><string>Lantern.pkg</string><key>Size</key><string>17 MB</string>
    </dict><dict><key>Size</key><integer>17</integer></dict></array>
  </dict></dict></dict></plist>`;
  const publication = instead((url) => (url === merged ? catalogue : undefined));
  expect(formatMessages(await readings('software', publication))).toContain(
    '901-00009: values that cannot be read were left out: Packages.0.URL, Packages.0.Size, Distributions.English, ServerMetadataURL',
  );
});

test('yields a row for each version without an installer, with the CVEs of its own release', async () => {
  expect(await said('versions')).toEqual([
    'PublicAssetSets, macOS 3: Build is missing',
    expect.stringContaining('macOS Tahoe 26.7 (CVEs: '),
  ]);
  expect([...(await entries('versions')).values()].map(formatEntry)).toEqual([
    {
      productKey: 'macOS-26.7.2-25G955',
      title: 'macOS 26.7.2',
      releaseDate: Date.UTC(2031, 4, 30),
      osVersion: ['26'],
      version: '26.7.2',
      exploited: false,
      build: '25G955',
      description: 'Supported devices: J214KAP, J314sAP, J414cAP.',
      securityContent: 'https://support.apple.com/en-us/100100',
      securityStatedBy: 'SOFA',
    },
    expect.objectContaining({
      productKey: 'macOS-26.7.1(a)-25G909001a',
      title: 'macOS 26.7.1 (a)',
      releaseDate: Date.UTC(2031, 4, 25),
      version: '26.7.1 (a)',
      cve: ['CVE-2031-10009'],
      exploited: true,
      securityContent: 'https://support.apple.com/en-us/198150',
    }),
  ]);
});

test.each<[string, null | FetchFailed]>([
  ['is not published', null],
  ['cannot be fetched', new FetchFailed('catalogue', { code: 'status', params: { status: 503 } })],
])('reads the supported versions while the catalogue of updates %s', async (_why, served) => {
  const missing = (url: string) => (isMergedCatalogue(url) ? served : undefined);
  const last = (await findPart(macosFeed, 'versions').contents(fixtures)).documents;
  const publication = instead(missing, { readLast: async () => last });
  expect(await entries('versions', publication)).toEqual(await entries('versions'));
  await expect(entries('versions', instead(missing))).rejects.toThrow(/catalogue|not published/);
});

const distribution = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><installer-gui-script><title>Lanterné</title></installer-gui-script>`;

test.each([
  ['ISO-8859-1', Buffer.from(distribution('ISO-8859-1'), 'latin1')],
  ['UTF-16', Buffer.from(`\uFEFF${distribution('UTF-16')}`, 'utf16le')],
])('reads a distribution in its declared encoding %s', async (_encoding, body) => {
  const read = await readDistribution(documentFrom('https://swdist.apple.com/a.dist', body));
  expect(read.title).toBe('Lanterné');
});

test('refuses a distribution that was damaged in transfer', async () => {
  const body = Buffer.from(distribution('UTF-8'), 'latin1');
  await expect(
    readDistribution(documentFrom('https://swdist.apple.com/a.dist', body)),
  ).rejects.toThrow('the text is not UTF-8');
});
