import { expect, test } from 'vitest';
import type { Entry, FeedItem, OpenOptions } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { centosFeed } from './centos-feed.ts';

/** The XML lies there unpacked under its packed name, so that people can read it: how it is packed is known by its bytes alone. */
const fixtures = new URL('./fixtures/', import.meta.url);
const errata = partOf(centosFeed, 'errata');
const address = 'https://cefs.steve-meier.de/errata.latest.xml.bz2';

async function readings(): Promise<FeedItem[]> {
  return readingsOf(errata, await errata.contents(publicationFrom(fixtures)));
}

async function entries(): Promise<Map<string, Entry>> {
  return new Map(
    (await readings())
      .filter((reading) => reading.kind === 'entry')
      .map((entry) => [entry.key, entry]),
  );
}

const readText = async (text: string) =>
  allOf(errata.read({ documents: [documentFrom(address, text)], whole: true }));

test('the errata are all that is published, and held to the checksums beside them', async () => {
  const publication = publicationFrom(fixtures);
  const asked: [string, OpenOptions | undefined][] = [];
  const contents = await errata.contents({
    ...publication,
    open(url, options) {
      asked.push([url, options]);
      return publication.open(url, options);
    },
  });
  expect(contents.whole).toBe(true);
  expect(contents.documents.map(({ url }) => url)).toEqual([address]);
  const value = expect.stringMatching(/^[\da-f]{40}$/);
  const sum = { algorithm: 'sha1', value };
  expect(asked).toEqual([
    ['https://cefs.steve-meier.de/errata.latest.sha1', undefined],
    [address, { checksum: sum, openChecksum: sum, version: value }],
  ]);
});

test('an erratum of two releases is an entry in each, with the packages built for it', async () => {
  const read = await entries();
  const [six, seven] = ['6', '7'].map((release) => read.get(`${release}:CESA-2031:4101`));
  const row = {
    title: 'Moderate CentOS lanternd Security Update',
    releaseDate: Date.UTC(2031, 5, 3, 1, 37, 20),
    bulletinId: 'CESA-2031:4101',
    severity: 'Moderate',
    category: 'security',
  };
  expect(six?.row).toEqual({
    ...row,
    binaryPkgName: ['lanternd', 'candle', 'lanternd-doc'],
    osVersion: ['CentOS 6'],
  });
  expect(seven?.row).toEqual({
    ...row,
    binaryPkgName: ['lanternd', 'lanternd-doc', 'lanternd-libs'],
    osVersion: ['CentOS 7'],
  });
  const { packages, ...facts } = seven?.detail ?? {};
  expect(facts).toEqual({
    updatedDate: null,
    description: null,
    rebootSuggested: null,
    restartSuggested: null,
    reloginSuggested: null,
    vendorSeverity: 'Moderte',
    vendorCategory: 'Security Advisory',
    status: null,
    referenceLink: 'https://access.redhat.com/errata/RHSA-2031:4101',
    cve: ['CVE-2031-20001'],
    upstreamAdvisories: ['RHSA-2031:4101'],
    modules: [],
    references: [
      {
        name: '000101',
        type: null,
        title: null,
        address: 'https://lists.centos.org/pipermail/centos-announce/2031-June/000101.html',
      },
      {
        name: 'CVE-2031-20001',
        type: 'cve',
        title: null,
        address: 'https://access.redhat.com/security/cve/cve-2031-20001',
      },
      {
        name: 'RHSA-2031:4101',
        type: 'rhsa',
        title: null,
        address: 'https://access.redhat.com/errata/RHSA-2031:4101',
      },
    ],
  });
  const suggestions = { rebootSuggested: null, restartSuggested: null, reloginSuggested: null };
  const unsaid = { module: null, ...suggestions, checksum: null, checksumType: null };
  const sourcePackage = 'lanternd-4.1-9.el7.centos.src.rpm';
  expect(packages).toEqual([
    {
      ...unsaid,
      name: 'lanternd',
      version: '4.1-9.el7.centos',
      architecture: 'src',
      sourcePackage: null,
    },
    {
      ...unsaid,
      name: 'lanternd',
      version: '4.1-9.el7.centos',
      architecture: 'x86_64',
      sourcePackage,
    },
    {
      ...unsaid,
      name: 'lanternd-libs',
      version: '4.1-9.el7.centos',
      architecture: 'i686',
      sourcePackage,
    },
    // Its name does not say for which release it is: it counts for both.
    {
      ...unsaid,
      name: 'lanternd-doc',
      version: '4.1-1',
      architecture: 'noarch',
      sourcePackage: null,
    },
  ]);
});

test('single values in attributes, no severity, a date that is none', async () => {
  const erratum = (await entries()).get('5:CEBA-2031:4102');
  expect(erratum?.row).toEqual({
    title: 'CentOS wick-utils BugFix Update',
    releaseDate: null,
    bulletinId: 'CEBA-2031:4102',
    severity: 'Unspecified',
    binaryPkgName: ['wick-utils'],
    category: 'bugfix',
    osVersion: ['CentOS 5'],
  });
  expect(erratum?.detail).toMatchObject({
    description: null,
    referenceLink: 'https://rhn.redhat.com/errata/RHBA-2031-4102.html',
    cve: [],
    upstreamAdvisories: ['RHBA-2031:4102'],
    references: [
      {
        name: 'RHBA-2031:4102',
        type: 'rhba',
        address: 'https://rhn.redhat.com/errata/RHBA-2031-4102.html',
      },
    ],
  });
});

test('an id of CentOS alone; where no release is named the packages say it', async () => {
  const erratum = (await entries()).get('7:CEEA-2031:C003');
  expect(erratum?.row).toMatchObject({
    category: 'enhancement',
    osVersion: ['CentOS 7'],
    binaryPkgName: ['lantern-art'],
  });
  expect(erratum?.detail).toMatchObject({
    description: 'Adds a lantern of more colours & shapes.',
    referenceLink: null,
    references: [],
  });
});

test('an id that comes twice is one entry: the newest words, the packages and keywords of both', async () => {
  const erratum = (await entries()).get('6:CESA-2031:X007');
  expect(erratum?.row).toMatchObject({
    title: 'Critical Xen4CentOS kernel Security Update, again',
    releaseDate: Date.UTC(2031, 5, 6, 12),
    severity: 'Unspecified',
    binaryPkgName: ['kernel', 'perf'],
  });
  expect(erratum?.detail).toMatchObject({
    rebootSuggested: true,
    referenceLink: 'http://lists.centos.org/pipermail/centos-announce/2031-June/000107.html',
  });
});

test('what is kept out or cannot be read is said; what CEFS says of itself is not', async () => {
  expect((await readings()).filter((reading) => reading.kind !== 'entry')).toEqual([
    {
      kind: 'remark',
      remark: 'CEBA-2031:4102: issue_date "15mangled2" is not a date that can be read',
    },
    {
      kind: 'remark',
      remark:
        'CEEA-2031:C003: "lantern-art" and 3 more is not the name, version, release and architecture of a package; left out',
    },
    {
      kind: 'rejection',
      rejected: 'CEBA-2031:4105',
      keys: expect.arrayContaining(['7:CEBA-2031:4105']),
      reason: 'neither its os_release nor its packages name a release of CentOS',
      url: address,
    },
    {
      kind: 'rejection',
      rejected: 'CESA_2031__4106',
      reason: 'it is not named by the id of an erratum',
      url: address,
    },
  ]);
});

test('reports the words that it does not know; keywords suggest what is to be done', async () => {
  const [odd, usual] = await readText(
    `<opt><CESA-2031--1 os_release="7" severity="urgent" type="Hotfix Advisory" keywords="restart_suggested relogin_suggested"/>
     <CEEA-2031--2 os_release="7" type="Product Enhancement Advisory"/></opt>`,
  );
  expect(odd).toMatchObject({
    row: { severity: 'Unspecified', category: 'other' },
    detail: {
      vendorSeverity: 'urgent',
      rebootSuggested: null,
      restartSuggested: true,
      reloginSuggested: true,
    },
    unknownWords: [
      { vocabulary: 'severity', word: 'urgent', shownAs: 'Unspecified' },
      { vocabulary: 'category', word: 'Hotfix Advisory', shownAs: 'other' },
    ],
  });
  expect(usual).toMatchObject({
    row: { category: 'enhancement' },
    detail: { vendorCategory: 'Product Enhancement Advisory' },
  });
  expect(usual).not.toHaveProperty('unknownWords');
});

test('leaves out a package built for a release that the erratum does not name', async () => {
  const read = await readText(
    '<opt><CESA-2031--1><os_release>5.11</os_release><packages>a-1-1.el5.i386.rpm</packages><packages>b-1-1.el4.i386.rpm</packages></CESA-2031--1></opt>',
  );
  expect(read).toMatchObject([
    { kind: 'remark', remark: 'CESA-2031:1: "b-1-1.el4" is not built for el5; left out' },
    { key: '5:CESA-2031:1', row: { title: null, binaryPkgName: ['a'] } },
  ]);
});

const ofRelease = (release: number, date: string, files: readonly string[]) =>
  `<CESA-2031--1 issue_date="${date}" synopsis="Of ${release}" os_release="${release}">${files.map((file) => `<packages>${file}</packages>`).join('')}</CESA-2031--1>`;

test.each([
  ['the later release first', [6, 5]],
  ['the earlier release first', [5, 6]],
])('keeps the date and words of each release of one id with %s', async (_, order) => {
  const elements = {
    5: ofRelease(5, '2031-10-29 20:19:18', ['a-1-1.el5.x86_64.rpm']),
    6: ofRelease(6, '2031-11-02 08:01:00', ['a-2-1.el6.x86_64.rpm']),
  };
  const read = await readText(
    `<opt>${order.map((release) => elements[release as 5 | 6]).join('')}</opt>`,
  );
  expect(
    Object.fromEntries(
      read.map((reading) => (reading.kind === 'entry' ? [reading.key, reading.row] : [])),
    ),
  ).toMatchObject({
    '5:CESA-2031:1': { title: 'Of 5', releaseDate: Date.UTC(2031, 9, 29, 20, 19, 18) },
    '6:CESA-2031:1': { title: 'Of 6', releaseDate: Date.UTC(2031, 10, 2, 8, 1) },
  });
});

test('merges two elements of one release beside one of both', async () => {
  const read = await readText(
    `<opt>${ofRelease(5, '2031-01-01', ['a-1-1.el5.x86_64.rpm'])}<CESA-2031--1 issue_date="2031-02-01" os_release="5 6" packages="b-1-1.el5.x86_64.rpm b-1-1.el6.x86_64.rpm"/></opt>`,
  );
  expect(read).toMatchObject([
    { key: '5:CESA-2031:1', row: { releaseDate: Date.UTC(2031, 1, 1), binaryPkgName: ['a', 'b'] } },
    { key: '6:CESA-2031:1', row: { releaseDate: Date.UTC(2031, 1, 1), binaryPkgName: ['b'] } },
  ]);
});

test('several values in one attribute', async () => {
  const [five, six] = await readText(
    '<opt><CEBA-2031--1 os_release="5 6" packages="a-1-1.el5.i386.rpm b-1-1.el6.i386.rpm"/></opt>',
  );
  expect(five).toMatchObject({ key: '5:CEBA-2031:1', row: { binaryPkgName: ['a'] } });
  expect(six).toMatchObject({ key: '6:CEBA-2031:1', row: { binaryPkgName: ['b'] } });
});

test('markup that is not well formed is read past, with a word on it', async () => {
  const item =
    '<CEBA-2031--1 os_release="6"><packages>a-1-1.el6.i386.rpm<br></packages></CEBA-2031--1>';
  expect(
    await readText(`<opt>\n${item}\n<CEBA-2031--2 os_release="6"/>\n&nope;</opt>`),
  ).toMatchObject([
    { kind: 'remark', remark: 'line 2 is not well formed: unexpected close tag; read past' },
    { kind: 'remark', remark: expect.stringContaining('line 4 is not well formed') },
    { key: '6:CEBA-2031:1', row: { binaryPkgName: ['a'] } },
    { key: '6:CEBA-2031:2' },
  ]);
});

test('a cut off or foreign document throws', async () => {
  await expect(readText('<opt><CEBA-2031--1 os_release="6"/><CEBA-20')).rejects.toThrow(
    BrokenDocument,
  );
  await expect(readText('<html><body>Service Unavailable</body></html>')).rejects.toThrow(
    'its outermost element is <html>, not <opt>',
  );
});
