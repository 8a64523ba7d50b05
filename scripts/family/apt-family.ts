/** A family that publishes an apt archive: a signed InRelease for each suite, and the Packages index of each of its components. */
import type { FamilyNames } from './family-names.ts';
import { type FamilyFiles, feedHead, listFile, notVerified } from './family-template.ts';

export function aptFamily(names: FamilyNames): FamilyFiles {
  const { name } = names;
  return {
    [`${name}-list.ts`]: aptList(names),
    [`${name}-feed.ts`]: feedFile(names),
    [`${name}-feed.test.ts`]: testFile(names),
    [`testing/${name}-fixtures.ts`]: fixturesFile(names),
    'readme.md': readme(names),
  };
}

/** An archive states neither bulletins nor urgencies nor dates of its packages: the list has no such fields. */
const aptList = (names: FamilyNames) =>
  listFile(
    names,
    `import { dpkgAdvisoryShape } from '../../schemas/dpkg-advisory-shape.ts';

const { fields, detail } = dpkgAdvisoryShape;`,
    `  fields: { title: fields.title, pkgName: fields.pkgName, osVersion: fields.osVersion, pkgAndVersion: fields.pkgAndVersion },
  columns: ['title', 'pkgName', 'osVersion', 'pkgAndVersion'],
  searchable: ['title', 'pkgName', 'osVersion', 'pkgAndVersion'],
  identity: ['pkgAndVersion', 'title'],
  defaultSort: 'title',
  detail: { ...detail, facts: { description: detail.facts.description } },`,
  );

const feedFile = (
  names: FamilyNames,
) => `/** ${names.label}'s archive: the packages of each suite. */
import { type PartManifest, type Entry, entry, type Feed, type Part, type Publication, type FeedItem } from '../../definition/feed.ts';
import { type AptSuite, openedSuite, suiteDocuments } from '../../parsers/apt-suite.ts';
import { binaryPackages } from '../../parsers/dpkg-packages.ts';
import { type BuiltTogether, SourcePackages } from '../../schemas/dpkg-source-packages.ts';
import { ${names.name}List } from './${names.name}-list.ts';

const archive = '${names.address.replace(/\/$/, '')}';

/** Armored public keys of the vendor's. While there is none, any signature is taken, and each run says that nobody verified it. */
const pinnedKeys: readonly string[] = [];

${feedHead(names, 'packagesOf')}
function packagesOf(release: string): Part {
  const suite: AptSuite = { archive, suite: \`release-\${release}\`, architecture: 'amd64', pinnedKeys };
  return {
    key: release,
    label: \`${names.label} \${release}\`,
    contents: (opened: Publication): Promise<PartManifest> => suiteDocuments(opened, suite),
    async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
      const { indexes } = openedSuite(documents, suite);
      const sources = new SourcePackages();
      for (const index of indexes) {
        for await (const batch of binaryPackages(index)) {
          for (const of of batch) {
            if (of.kind === 'rejection') yield of;
            else sources.add(of);
          }
        }
      }
      for (const packages of sources.all()) yield packageEntry(release, packages);
    },
  };
}

/** One row for all binary packages of a version of a source package: release, source and version name it. */
function packageEntry(release: string, packages: BuiltTogether): Entry {
  const { source, sourceVersion } = packages[0];
  const main = packages.find(({ name }) => name === source) ?? packages[0];
  return entry(
    ${names.name}List,
    \`\${release}|\${source}|\${sourceVersion}\`,
    {
      title: main.synopsis ?? source,
      pkgName: source,
      osVersion: \`${names.label} \${release}\`,
      pkgAndVersion: \`\${source} \${sourceVersion}\`,
    },
    {
      description: main.description,
      packages: packages.map(({ name, version, architecture, sha256 }) => ({ name, version, architecture, checksum: sha256 })),
    },
  );
}
`;

const fixturesFile = ({
  name,
  address,
}: FamilyNames) => `/** What the fixtures publish: two suites, written for the tests in the vendor's form, signed with a key of their own. */
import { aptSuiteFrom, packagesFrom } from '../../../testing/apt-suite-from.ts';
import type { FixtureFiles } from '../../../testing/fixture-files.ts';
import { signer } from '../../../testing/signed-text.ts';

const archive = '${address.replace(/\/$/, '')}';

const lantern = {
  Package: 'lantern',
  Version: '2:4.1-7',
  Architecture: 'amd64',
  Section: 'utils',
  Filename: 'pool/main/l/lantern/lantern_4.1-7_amd64.deb',
  Size: '7197',
  SHA256: '1'.repeat(64),
  Description: 'lighting daemon\\nIt gives light.',
};
const library = {
  Package: 'liblantern4',
  Source: 'lantern',
  Version: '2:4.1-7',
  Architecture: 'amd64',
  SHA256: '2'.repeat(64),
  Description: 'lighting library',
};
const candle = { Package: 'candle', Version: '0.9-1', Architecture: 'all', SHA256: '3'.repeat(64), Description: 'burns for hours' };
/** Has no version to install. */
const damaged = { Package: 'snuffer', Architecture: 'all' };

/** Run npm run fixtures -- ${name} after a change: everything is signed again, with a new key. */
export async function ${name}Fixtures(): Promise<FixtureFiles> {
  const key = await signer();
  const date = 'Thu, 03 Jun 2021 10:00:00 UTC';
  const main = packagesFrom([lantern, library, damaged]);
  return {
    ...(await aptSuiteFrom({ archive, suite: 'release-1', date, components: { main, extra: packagesFrom([candle]) } }, key)),
    ...(await aptSuiteFrom({ archive, suite: 'release-2', date, components: { main: packagesFrom([lantern]) } }, key)),
  };
}
`;

const testFile = ({ name, label, address }: FamilyNames) => `import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import { type Entry, type Publication, type FeedItem } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { ${name}Feed } from './${name}-feed.ts';

const fixtures = publicationFrom(new URL('./fixtures/', import.meta.url));
const key = readFileSync(new URL('./fixtures/keys/fixtures.asc', import.meta.url), 'utf8');
const suite = '${address}dists/release-1/';

async function readings(release: string, publication: Publication = fixtures): Promise<FeedItem[]> {
  const part = partOf(${name}Feed, release);
  return readingsOf(part, await part.contents(publication));
}

async function entries(release: string): Promise<Map<string, Entry>> {
  const read = await readings(release);
  return new Map(read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]));
}

test('a release is its signed table of contents and the indexes that it names, and whole', async () => {
  const { documents, whole } = await partOf(${name}Feed, '1').contents(fixtures);
  expect(documents.map(({ url }) => url)).toEqual([
    \`\${suite}InRelease\`,
    \`\${suite}main/binary-amd64/Packages.gz\`,
    \`\${suite}extra/binary-amd64/Packages.gz\`,
  ]);
  expect(whole).toBe(true);
  await expect(${name}Feed.otherParts?.partOf('3')?.contents(fixtures)).rejects.toThrow(NotPublished);
});

test('one row for all binary packages of a version of a source package', async () => {
  const lantern = (await entries('1')).get('1|lantern|2:4.1-7');
  expect(lantern?.row).toEqual({
    title: 'lighting daemon',
    pkgName: 'lantern',
    osVersion: '${label} 1',
    pkgAndVersion: 'lantern 2:4.1-7',
  });
  expect(lantern?.detail).toEqual({
    description: 'It gives light.',
    packages: [
      { name: 'lantern', version: '2:4.1-7', architecture: 'amd64', checksum: '1'.repeat(64) },
      { name: 'liblantern4', version: '2:4.1-7', architecture: 'amd64', checksum: '2'.repeat(64) },
    ],
  });
});

test('a package of two releases is a row in each', async () => {
  expect([...(await entries('1')).keys()]).toEqual(['1|lantern|2:4.1-7', '1|candle|0.9-1']);
  expect([...(await entries('2')).keys()]).toEqual(['2|lantern|2:4.1-7']);
});

test('a record that is no package is kept out, with the reason', async () => {
  expect((await readings('1')).filter((reading) => reading.kind === 'rejection')).toMatchObject([{ kind: 'rejection', rejected: 'snuffer', reason: 'it has no Version' }]);
});

test('a signature that nobody verified is spoken of, one by a trusted key is held to', async () => {
  const remarks = (read: FeedItem[]) => read.filter((reading) => reading.kind === 'remark');
  expect(remarks(await readings('2', { ...fixtures, trustedKeys: [] }))).toMatchObject([{ kind: 'remark', remark: expect.stringContaining('was not verified') }]);
  const trusting: Publication = { ...fixtures, trustedKeys: [key] };
  expect(remarks(await readings('2', trusting))).toEqual([]);
  const altered: Publication = {
    ...trusting,
    async open(url, options) {
      const document = await fixtures.open(url, options);
      return url.endsWith('InRelease') ? documentFrom(url, (await document.text()).replace('Suite:', 'Suite: x')) : document;
    },
  };
  await expect(readings('2', altered)).rejects.toThrow('none of its signatures is good');
});
`;

const readme = ({ name, label, key, address }: FamilyNames) => `# ${label}

Fills \`${key}\` from the archive at \`${address}\`: the suites \`release-1\` and \`release-2\`, each a part of its own and whole. No account is needed.
An administrator can add later releases, such as 3.

A suite is its signed \`InRelease\` and the \`Packages\` index of each component (amd64), held to the SHA-256 that was signed. The vendor's key is not known
to this program: a signature has to be there, and each run says that nobody verified it. A key that an administrator trusts for the source
(\`DATA_DIR/trusted-keys/<source>/*.asc\`), or one that the feed pins, is held to strictly.

One row for each release, source package and version (natural key \`1|lantern|2:4.1-7\`), its binary packages in the detail.

| field         | from                                                                                |
| ------------- | ----------------------------------------------------------------------------------- |
| title         | the first line of \`Description\` of the package named as its source, else the source |
| pkgName       | \`Source\`, else \`Package\`                                                            |
| pkgAndVersion | the source and its version                                                          |
| osVersion     | the part: ${label} 1                                                                |
| description   | what follows the first line of \`Description\`                                        |
| packages      | the binary packages, with their SHA-256                                             |

An archive states neither bulletins nor urgencies nor dates of its packages: the list has none. A vendor that publishes advisories beside its archive needs
a reader for them, and the fields of \`dpkgAdvisoryShape\`.

The fixtures are written by \`testing/${name}-fixtures.ts\`: change it, then \`npm run fixtures -- ${name}\`.

${notVerified}
`;
