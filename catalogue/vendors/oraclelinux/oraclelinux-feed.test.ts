import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Entry, FeedItem, Publication } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { oraclelinuxFeed } from './oraclelinux-feed.ts';

const fixtures = publicationFrom(new URL('./fixtures/', import.meta.url), {
  now: Date.UTC(2021, 5, 30),
});
const allDefinitions = 'https://linux.oracle.com/security/oval/com.oracle.elsa-all.xml.bz2';

async function readings(release: string, publication: Publication = fixtures): Promise<FeedItem[]> {
  const part = partOf(oraclelinuxFeed, release);
  return readingsOf(part, await part.contents(publication));
}

async function entries(release: string, publication?: Publication): Promise<Map<string, Entry>> {
  const read = await readings(release, publication);
  return new Map(
    read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
  );
}

test('the documents of a release: the updateinfo of its repositories and the definitions', async () => {
  const { documents, whole } = await partOf(oraclelinuxFeed, '8').contents(fixtures);
  expect(documents.map(({ url }) => url.replace(/\/[\da-f]{40,}-/, '/'))).toEqual([
    'https://yum.oracle.com/repo/OracleLinux/OL8/baseos/latest/x86_64/repodata/updateinfo.xml.gz',
    'https://yum.oracle.com/repo/OracleLinux/OL8/appstream/x86_64/repodata/updateinfo.xml.gz',
    allDefinitions,
  ]);
  expect(whole).toBe(true);
  await expect(partOf(oraclelinuxFeed, '10').contents(fixtures)).rejects.toThrow(NotPublished);
});

test('an advisory in full: of two repositories, with CVEs and ratings of the definitions', async () => {
  const advisory = (await entries('8')).get('8:ELSA-2021-4101');
  expect(advisory?.row).toEqual({
    title: 'lanternd security update',
    releaseDate: Date.UTC(2021, 5, 3),
    bulletinId: 'ELSA-2021-4101',
    severity: 'Important',
    binaryPkgName: ['lanternd', 'lanternd-tools'],
    category: 'security',
    osVersion: ['Oracle Linux 8'],
  });
  const { packages, references, ...rest } = advisory?.detail ?? {};
  expect(rest).toEqual({
    updatedDate: null,
    description: '[4.1-7]\n- Fixed an overflow [Orabug: 30000001]',
    rebootSuggested: null,
    restartSuggested: null,
    reloginSuggested: null,
    vendorSeverity: 'Important',
    vendorCategory: 'security',
    status: 'final',
    referenceLink: 'https://linux.oracle.com/errata/ELSA-2021-4101.html',
    cve: ['CVE-2021-20001', 'CVE-2021-20002'],
    upstreamAdvisories: [],
    modules: [
      { name: 'lantern-tools', stream: '4', version: null, context: null, architecture: null },
    ],
    vulnerabilities: [
      {
        cve: 'CVE-2021-20001',
        score: '5.5',
        vector: 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
      },
      { cve: 'CVE-2021-20001', score: '1.2', vector: 'AV:L/AC:H/Au:S/C:N/I:P/A:N' },
    ],
  });
  expect(packages).toMatchObject([
    { name: 'lanternd-tools', version: '2:4.1-7.module+el8', module: 'lantern-tools:4' },
    { name: 'lanternd', version: '2:4.1-7.el8', module: null, architecture: 'x86_64' },
  ]);
  expect(references).toHaveLength(2);
});

test('a suffix is part of the id, N/A is no severity, the ksplice flavour a package of its own', async () => {
  const advisory = (await entries('8')).get('8:ELSA-2021-12887-1');
  expect(advisory?.row).toMatchObject({
    bulletinId: 'ELSA-2021-12887-1',
    severity: 'Unspecified',
    binaryPkgName: ['wick'],
  });
  expect(advisory?.detail.packages).toMatchObject([
    { version: '5.4-1.ksplice1.el8' },
    { version: '5.4-1.el8' },
  ]);
  expect(advisory?.detail.vulnerabilities).toEqual([]);
});

test('markup in a title spoils nothing but is spoken of', async () => {
  const read = await readings('8');
  expect(read.filter((reading) => reading.kind !== 'entry')).toMatchObject([
    { kind: 'remark', remark: expect.stringContaining('ELBA-2021-4102 is not well formed') },
  ]);
  expect((await entries('8')).get('8:ELBA-2021-4102')?.row).toMatchObject({
    title: 'candle bug fix update',
    releaseDate: Date.UTC(2021, 5, 4, 5, 6, 7),
    severity: 'Unspecified',
    category: 'bugfix',
  });
});

test('an advisory for two releases is a row in each', async () => {
  const advisories = await entries('9');
  expect([...advisories.keys()]).toEqual(['9:ELSA-2021-4101']);
  expect(advisories.get('9:ELSA-2021-4101')?.row.osVersion).toEqual(['Oracle Linux 9']);
});

test('where there are no definitions in one document they are asked for by year', async () => {
  const asked: string[] = [];
  const yearly: Publication = {
    ...fixtures,
    async open(url, options) {
      if (!url.includes('/oval/')) return fixtures.open(url, options);
      asked.push(url.slice(url.lastIndexOf('-') + 1, -'.xml.bz2'.length));
      if (!url.endsWith('-2021.xml.bz2')) throw new NotPublished(url);
      return { ...(await fixtures.open(allDefinitions)), url };
    },
  };
  const advisory = (await entries('9', yearly)).get('9:ELSA-2021-4101');
  expect(advisory?.detail.cve).toEqual(['CVE-2021-20001', 'CVE-2021-20002']);
  expect([asked[0], asked[1], asked.at(-1)]).toEqual(['all', '2006', '2021']);
});

test('without any definitions the advisories are listed all the same', async () => {
  const none: Publication = {
    ...fixtures,
    async open(url, options) {
      if (url.includes('/oval/')) throw new NotPublished(url);
      return fixtures.open(url, options);
    },
  };
  expect((await entries('8', none)).get('8:ELSA-2021-4101')?.detail).toMatchObject({
    cve: ['CVE-2021-20001'],
    vulnerabilities: [],
  });
});

test('an advisory that cannot be used is kept out under the key of its row, so that the row is kept', async () => {
  const text =
    '<updates><update><id>ELSA-2021-1</id><pkglist><collection><package arch="noarch"/></collection></pkglist></update></updates>';
  const updateinfo = documentFrom(
    'https://yum.oracle.com/repo/OracleLinux/OL8/baseos/latest/x86_64/repodata/updateinfo.xml',
    text,
  );
  const read = await allOf(
    partOf(oraclelinuxFeed, '8').read({ documents: [updateinfo], whole: true }),
  );
  expect(read).toMatchObject([
    { kind: 'rejection', rejected: 'ELSA-2021-1', keys: ['8:ELSA-2021-1'] },
  ]);
});
