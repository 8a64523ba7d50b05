/** A family that publishes repositories of RPM packages: repodata/repomd.xml names an updateinfo.xml with the advisories. */
import type { FamilyNames } from './family-names.ts';
import { type FamilyFiles, feedHead, listFile, notVerified } from './family-template.ts';

export function rpmFamily(names: FamilyNames): FamilyFiles {
  const { name } = names;
  return {
    [`${name}-list.ts`]: listFile(
      names,
      "import { rpmErrataShape } from '../../schemas/rpm-errata-shape.ts';",
      '  ...rpmErrataShape,',
    ),
    [`${name}-feed.ts`]: feedFile(names),
    [`${name}-feed.test.ts`]: testFile(names),
    [`testing/${name}-fixtures.ts`]: fixturesFile(names),
    'readme.md': readme(names),
  };
}

const feedFile = (
  names: FamilyNames,
) => `/** ${names.label}'s errata: the repositories of each release. */
import { type PartManifest, entry, type Feed, type Part, type Publication, type FeedItem } from '../../definition/feed.ts';
import { isRetracted, updateinfoEntry } from '../../schemas/updateinfo-entry.ts';
import { openRepositories, readRepositories } from '../../schemas/updateinfo-repositories.ts';
import { ${names.name}List } from './${names.name}-list.ts';

const base = '${names.address}';

${feedHead(names, 'errataOf')}
function errataOf(release: string): Part {
  const repositories = [{ name: 'base', address: \`\${base}\${release}/x86_64/\` }];
  const label = \`${names.label} \${release}\`;
  return {
    key: release,
    label,
    contents: (opened: Publication): Promise<PartManifest> => openRepositories(opened, repositories),
    async *read(contents: PartManifest): AsyncGenerator<FeedItem> {
      for await (const reading of readRepositories(contents)) {
        if (reading.kind === 'rejection') yield { ...reading, keys: [erratumKey(release, reading.rejected)] };
        else if (reading.kind === 'remark') yield reading;
        else if (!isRetracted(reading)) {
          const { row, detail, unknownWords } = updateinfoEntry(reading, label);
          yield entry(${names.name}List, erratumKey(release, reading.id), row, detail, unknownWords);
        }
      }
    },
  };
}

/** An erratum counts for one release: the same id in two releases is two rows. */
function erratumKey(release: string, id: string): string {
  return \`\${release}:\${id}\`;
}
`;

const fixturesFile = ({
  name,
  address,
}: FamilyNames) => `/** What the fixtures publish: two releases, written for the tests in the vendor's form. */
import type { FixtureFiles } from '../../../testing/fixture-files.ts';
import { type PublishedUpdate, rpmRepositoryFrom, updateinfoFrom } from '../../../testing/rpm-repository-from.ts';

const base = '${address}';

const security: PublishedUpdate = {
  id: 'EXSA-2021:4101',
  type: 'security',
  severity: 'Important',
  title: 'Important: lantern security update',
  issued: '2021-06-03 10:00:00',
  updated: '2021-06-04 11:30:00',
  description: 'The lantern packages provide a lighting daemon.\\n\\nIt fixes an overflow in <wick> parsing (CVE-2021-20001).',
  references: [
    { id: 'EXSA-2021:4101', type: 'self', href: \`\${base}errata/EXSA-2021-4101.html\`, title: 'EXSA-2021:4101' },
    { id: 'CVE-2021-20001', type: 'cve', href: 'https://www.cve.org/CVERecord?id=CVE-2021-20001', title: 'Overflow in lantern' },
  ],
  packages: [
    { name: 'lantern', version: '4.1', release: '7', epoch: '2', src: 'lantern-4.1-7.src.rpm', sha256: '1'.repeat(64), rebootSuggested: true },
    { name: 'lantern-libs', version: '4.1', release: '7', epoch: '2', src: 'lantern-4.1-7.src.rpm', sha256: '2'.repeat(64) },
  ],
};

const bugfix: PublishedUpdate = {
  id: 'EXBA-2021:4102',
  type: 'bugfix',
  title: 'candle bug fix update',
  issued: '2021-06-05 09:00:00',
  description: 'Candles burn longer.',
  packages: [{ name: 'candle', version: '0.9', release: '1', src: 'candle-0.9-1.src.rpm', sha256: '3'.repeat(64) }],
};

const enhancement: PublishedUpdate = {
  id: 'EXEA-2021:4103',
  type: 'enhancement',
  severity: 'Low',
  title: 'snuffer enhancement update',
  issued: '2021-06-06 09:00:00',
  packages: [{ name: 'snuffer', version: '1.0', release: '3', sha256: '4'.repeat(64) }],
};

const published: Readonly<Record<string, readonly PublishedUpdate[]>> = { '1': [security, bugfix, enhancement], '2': [security] };

/** Run npm run fixtures -- ${name} after a change. */
export function ${name}Fixtures(): FixtureFiles {
  const repositories = Object.entries(published).map(([release, updates]) =>
    rpmRepositoryFrom(\`\${base}\${release}/x86_64/\`, updateinfoFrom(updates)),
  );
  return Object.assign({}, ...repositories) as FixtureFiles;
}
`;

const testFile = ({ name, label, address }: FamilyNames) => `import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import { type Entry, type FeedItem } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { ${name}Feed } from './${name}-feed.ts';

const fixtures = publicationFrom(new URL('./fixtures/', import.meta.url));
const repository = '${address}1/x86_64/repodata/';

async function readings(release: string): Promise<FeedItem[]> {
  const part = partOf(${name}Feed, release);
  return readingsOf(part, await part.contents(fixtures));
}

async function entries(release: string): Promise<Map<string, Entry>> {
  const read = await readings(release);
  return new Map(read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]));
}

test('a release is the updateinfo of its repository, and whole', async () => {
  const { documents, whole } = await partOf(${name}Feed, '1').contents(fixtures);
  expect(documents.map(({ url }) => url.replace(/[\\da-f]{64}-/, ''))).toEqual([\`\${repository}updateinfo.xml.gz\`]);
  expect(whole).toBe(true);
  await expect(${name}Feed.otherParts?.partOf('3')?.contents(fixtures)).rejects.toThrow(NotPublished);
});

test('an erratum in full', async () => {
  const erratum = (await entries('1')).get('1:EXSA-2021:4101');
  expect(erratum?.row).toEqual({
    title: 'Important: lantern security update',
    releaseDate: Date.UTC(2021, 5, 3, 10),
    bulletinId: 'EXSA-2021:4101',
    severity: 'Important',
    binaryPkgName: ['lantern', 'lantern-libs'],
    category: 'security',
    osVersion: ['${label} 1'],
  });
  expect(erratum?.detail).toMatchObject({
    updatedDate: Date.UTC(2021, 5, 4, 11, 30),
    referenceLink: '${address}errata/EXSA-2021-4101.html',
    cve: ['CVE-2021-20001'],
    rebootSuggested: true,
    packages: [
      { name: 'lantern', version: '2:4.1-7', architecture: 'x86_64', sourcePackage: 'lantern-4.1-7.src.rpm' },
      { name: 'lantern-libs', version: '2:4.1-7' },
    ],
  });
});

test('an erratum for two releases is a row in each', async () => {
  expect([...(await entries('1')).keys()]).toEqual(['1:EXSA-2021:4101', '1:EXBA-2021:4102', '1:EXEA-2021:4103']);
  expect([...(await entries('2')).keys()]).toEqual(['2:EXSA-2021:4101']);
});

test('an erratum that cannot be used is kept out under the key of its row, so that the row is kept', async () => {
  const text = '<updates><update><id>EXSA-2021:1</id><pkglist><collection><package arch="noarch"/></collection></pkglist></update></updates>';
  const updateinfo = documentFrom(\`\${repository}updateinfo.xml\`, text);
  const read = await allOf(partOf(${name}Feed, '1').read({ documents: [updateinfo], whole: true }));
  expect(read).toMatchObject([{ kind: 'rejection', rejected: 'EXSA-2021:1', keys: ['1:EXSA-2021:1'] }]);
});
`;

const readme = ({ name, label, key, address }: FamilyNames) => `# ${label}

Fills \`${key}\` from \`${address}{1,2}/x86_64/\`: one repository for each release, each a part of its own and whole. \`repodata/repomd.xml\` names the
\`updateinfo\`, which is verified by both of its checksums. No account is needed. An administrator can add later releases, such as 3.

One row for each release and erratum (natural key \`1:EXSA-2021:4101\`).

| field                       | from                                                                           |
| --------------------------- | ------------------------------------------------------------------------------ |
| title                       | \`title\`, on one line                                                           |
| releaseDate                 | \`issued\`, else \`updated\`                                                       |
| bulletinId                  | \`id\`                                                                           |
| severity                    | \`severity\`; a word that is not known is Unspecified, and reported              |
| binaryPkgName               | distinct \`package/@name\`: first the one that the title speaks of, then by name |
| category                    | \`@type\`, else the third letter of the id                                       |
| osVersion                   | the part: ${label} 1                                                           |
| description, status         | \`description\`, \`@status\`                                                       |
| referenceLink               | \`reference/@href\` of type \`self\`                                               |
| cve                         | \`reference/@id\` of type \`cve\`                                                  |
| packages, modules           | \`collection/package\`, \`collection/module\`                                      |
| references                  | \`reference\`                                                                    |

The fixtures are written by \`testing/${name}-fixtures.ts\`: change it, then \`npm run fixtures -- ${name}\`.

${notVerified}
`;
