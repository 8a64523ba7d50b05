import { expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { almalinuxFeed } from './almalinux-feed.ts';

const fixtures = new URL('./fixtures/', import.meta.url);

async function readings(release: string, folder: URL = fixtures): Promise<FeedItem[]> {
  const part = partOf(almalinuxFeed, release);
  return readingsOf(part, await part.contents(publicationFrom(folder)));
}

async function entries(release: string, folder?: URL): Promise<Map<string, Entry>> {
  const read = await readings(release, folder);
  return new Map(
    read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
  );
}

const readText = async (text: string) =>
  allOf(
    partOf(almalinuxFeed, '8').read({
      documents: [documentFrom('https://errata.almalinux.org/8/errata.full.json', text)],
      whole: true,
    }),
  );

test('a document is all that the vendor publishes for a release', async () => {
  const contents = await partOf(almalinuxFeed, '9').contents(publicationFrom(fixtures));
  expect(contents.documents.map(({ url }) => url)).toEqual([
    'https://errata.almalinux.org/9/errata.full.json',
  ]);
  expect(contents.whole).toBe(true);
});

test('an advisory in full', async () => {
  const advisory = (await entries('8')).get('8:ALSA-2031:4101');
  expect(advisory?.row).toEqual({
    title: 'Important: lanternd security update',
    releaseDate: Date.UTC(2031, 5, 3),
    bulletinId: 'ALSA-2031:4101',
    severity: 'Important',
    binaryPkgName: ['lanternd', 'candle', 'lanternd-libs'],
    category: 'security',
    osVersion: ['AlmaLinux 8'],
  });
  const { packages, modules, references, ...facts } = advisory?.detail ?? {};
  expect(facts).toEqual({
    updatedDate: Date.UTC(2031, 5, 4),
    description:
      'The lanternd packages provide a lighting daemon.  \n\nSecurity Fix(es):  \n\n  * lanternd: overflow in <wick> parsing (CVE-2031-20001)\n',
    rebootSuggested: true,
    restartSuggested: true,
    reloginSuggested: false,
    vendorSeverity: 'Important',
    vendorCategory: 'security',
    status: null,
    referenceLink: 'https://errata.almalinux.org/8/ALSA-2031-4101.html',
    cve: ['CVE-2031-20001'],
    upstreamAdvisories: ['RHSA-2031:4101'],
  });
  expect(packages).toEqual([
    {
      name: 'lanternd-libs',
      version: '2:4.1-7.el8',
      architecture: 'x86_64',
      sourcePackage: 'lanternd-4.1-7.el8.src.rpm',
      module: null,
      rebootSuggested: false,
      restartSuggested: true,
      reloginSuggested: false,
      checksum: '1'.repeat(64),
      checksumType: 'sha256',
    },
    // Twice in the feed, once with a folder in its file name.
    expect.objectContaining({
      name: 'lanternd',
      version: '2:4.1-7.el8',
      rebootSuggested: true,
      checksum: '2'.repeat(64),
    }),
    expect.objectContaining({
      name: 'candle',
      version: '0.9-1.module_el8.9.0+12+abcdef01',
      module: 'lantern-tools:4:8090020310101010101:abcdef01:x86_64',
    }),
  ]);
  expect(modules).toEqual([
    {
      name: 'lantern-tools',
      stream: '4',
      version: '8090020310101010101',
      context: 'abcdef01',
      architecture: 'x86_64',
    },
  ]);
  expect(references).toHaveLength(5);
  expect(references).toContainEqual({
    name: '2098001',
    type: 'bugzilla',
    title: null,
    address: 'https://bugzilla.redhat.com/2098001',
  });
  expect(references).toContainEqual({
    name: 'CVE-2031-20001',
    type: 'cve',
    title: null,
    address: null,
  });
});

test('what a record lacks stays empty; the id says the category, the update the date', async () => {
  const advisory = (await entries('8')).get('8:ALBA-2031:4102');
  expect(advisory?.row).toEqual({
    title: 'wick-utils bug fix update',
    releaseDate: Date.UTC(2031, 5, 3, 0, 0, 0, 250),
    bulletinId: 'ALBA-2031:4102',
    severity: 'Unspecified',
    binaryPkgName: ['wick-utils'],
    category: 'bugfix',
    osVersion: ['AlmaLinux 8'],
  });
  expect(advisory?.detail).toMatchObject({
    description: null,
    rebootSuggested: null,
    cve: [],
    modules: [],
    references: [],
  });
});

const packages = [{ name: 'wick', version: '1', release: '1.el8' }];

test('reports the words that it does not know, and keeps them', async () => {
  const records = [
    { id: 'ALSA-2031:1', severity: 'urgent', type: 'hotfix', status: 'final', packages },
    { id: 'ALSA-2031:2', severity: 'Moderate', type: 'security', packages },
  ];
  const [odd, usual] = await readText(JSON.stringify({ data: records }));
  expect(odd).toMatchObject({
    row: { severity: 'Unspecified', category: 'other' },
    detail: { vendorSeverity: 'urgent', vendorCategory: 'hotfix', status: 'final' },
    unknownWords: [
      { vocabulary: 'severity', word: 'urgent', shownAs: 'Unspecified' },
      { vocabulary: 'category', word: 'hotfix', shownAs: 'other' },
    ],
  });
  expect(usual).not.toHaveProperty('unknownWords');
});

test('a record without an id or a name of a package is kept out, one with a bad date is spoken of', async () => {
  const url = 'https://errata.almalinux.org/8/errata.full.json';
  expect((await readings('8')).filter((reading) => reading.kind !== 'entry')).toEqual([
    {
      kind: 'remark',
      remark:
        'AlmaLinux 8, ALBA-2031:4102: issued_date "15mangled2" is not a date that can be read',
    },
    { kind: 'rejection', rejected: 'record 3', keys: [], reason: 'it has no id', url },
    {
      kind: 'rejection',
      rejected: 'ALSA-2031:4103',
      keys: ['8:ALSA-2031:4103'],
      reason: 'packages.0.name: it is missing',
      url,
    },
  ]);
});

test('an id that comes twice is one entry: the newest words, the packages of both', async () => {
  const read = await readings('8');
  const twins = read
    .filter((reading) => reading.kind === 'entry')
    .filter(({ key }) => key === '8:ALEA-2031:4104');
  expect(twins).toHaveLength(1);
  expect(twins[0]?.row.releaseDate).toBe(1938470400000);
  expect(twins[0]?.detail.description).toBe('Newer text.');
  expect(twins[0]?.detail.packages).toMatchObject([
    { architecture: 'x86_64' },
    { architecture: 'aarch64' },
  ]);
});

test('an advisory for two releases is an entry in each', async () => {
  expect([...(await entries('9')).keys()]).toEqual(['9:ALSA-2031:4101']);
  expect((await entries('9')).get('9:ALSA-2031:4101')?.row.osVersion).toEqual(['AlmaLinux 9']);
  expect(await readings('10')).toEqual([]);
});

test('the older form: dates of a database export, a module whose version is a bare number over 2^53', async () => {
  const advisory = (await entries('8', new URL('older-form/', fixtures))).get('8:ALBA-2031:4201');
  expect(advisory?.row).toMatchObject({
    releaseDate: 1938211200123,
    severity: 'None',
    category: 'bugfix',
    binaryPkgName: ['snuffer'],
  });
  expect(advisory?.detail).toMatchObject({
    updatedDate: 1938297600456,
    status: 'final',
    rebootSuggested: false,
  });
  const module = {
    name: 'snuffer',
    stream: 'rhel',
    version: '8040020310811063001',
    context: '522a0ee4',
    architecture: 'x86_64',
  };
  expect(advisory?.detail.modules).toEqual([module]);
  expect(advisory?.detail.packages).toEqual([
    expect.objectContaining({
      module: 'snuffer:rhel:8040020310811063001:522a0ee4:x86_64',
      checksumType: 'sha256',
    }),
  ]);
});

test('dates in every way the vendor may take to writing them', async () => {
  const dates = [
    1704164645,
    '1704164645',
    '2024-01-02 03:04:05',
    { $date: 1704164645000 },
    { $date: '2024-01-02T03:04:05Z' },
  ];
  const data = dates.map((issued_date, place) => ({
    id: `ALSA-2024:${place}`,
    issued_date,
    packages,
  }));
  for (const reading of await readText(JSON.stringify({ data }))) {
    expect(reading).toMatchObject({ row: { releaseDate: 1704164645000 } });
  }
});

test('records that are none are kept out one by one', async () => {
  const read = await readText(
    '{"data":[null,3,"x",[],{"id":" "},{"id":"ALSA-2024:1","title":{"en":"x"}},{"id":"ALSA-2024:2","packages":{}},{"id":"A"},{"id":"B","packages":[{"name":"a"}]}]}',
  );
  expect(
    read.map((reading) =>
      reading.kind === 'rejection'
        ? `${reading.rejected}: ${reading.reason}`
        : reading.kind === 'entry' && reading.key,
    ),
  ).toEqual([
    'record 1: it has no id',
    'record 2: it has no id',
    'record 3: it has no id',
    'record 4: it has no id',
    'record 5: it has no id',
    expect.stringMatching(/^ALSA-2024:1: title: expected a word$/),
    expect.stringMatching(/^ALSA-2024:2: packages: .*expected array/),
    'A: it names no package',
    '8:B',
  ]);
});

test('a broken, cut off or foreign document throws', async () => {
  await expect(
    readText('{"schema_version":"1.0","data":[{"id":"ALSA-2024:1"},{"id":"ALSA-20'),
  ).rejects.toThrow('ends too early');
  await expect(readText('<html>Service Unavailable</html>')).rejects.toThrow('not valid JSON');
  await expect(readText('{"error":"maintenance"}')).rejects.toThrow('it has no array "data"');
});

test('leaves out builds of another release and refuses a document that has only those', async () => {
  const record = (id: string, ...builds: string[]) => ({
    id,
    packages: builds.map((release) => ({ name: 'wick', version: '1', release })),
  });
  const textOf = (...data: readonly unknown[]) => JSON.stringify({ data });
  expect(
    await readText(textOf(record('A', '1.el8', '2.el9_3'), record('B', '2.el9'))),
  ).toMatchObject([
    { kind: 'remark', remark: 'A: "wick-1-2.el9_3" is not built for el8; left out' },
    { key: '8:A', detail: { packages: [{ version: '1-1.el8' }] } },
    { kind: 'remark' },
    { kind: 'rejection', rejected: 'B', keys: [], reason: 'none of its packages is built for el8' },
  ]);
  await expect(readText(textOf(record('A', '1.el9')))).rejects.toThrow(
    'all of its packages are built for el9, not for el8',
  );
});
