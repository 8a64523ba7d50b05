/** A family that publishes its errata as JSON: one document for each release, with an array of records. */
import type { FamilyNames } from './family-names.ts';
import { type FamilyFiles, feedHead, listFile, notVerified } from './family-template.ts';

export function jsonFamily(names: FamilyNames): FamilyFiles {
  const { name } = names;
  return {
    [`${name}-list.ts`]: listFile(
      names,
      "import { rpmErrataShape } from '../../schemas/rpm-errata-shape.ts';",
      '  ...rpmErrataShape,',
    ),
    [`${name}-record.ts`]: recordFile(names),
    [`${name}-feed.ts`]: feedFile(names),
    [`${name}-feed.test.ts`]: testFile(names),
    [`testing/${name}-fixtures.ts`]: fixturesFile(names),
    'readme.md': readme(names),
  };
}

const recordFile = ({
  label,
}: FamilyNames) => `/** One erratum of ${label} as the vendor writes it. What is missing is null; numbers where words are usual are taken as their digits. */
import { z } from 'zod';
import { vendorDate } from '../../values/vendor-dates.ts';
import { cveIdOf, distinctWords, webAddressOf, invalidReason, wordOf } from '../../values/vendor-words.ts';

const word = z.union([z.string(), z.number()], { error: 'expected a word' }).nullish().transform(wordOf);
const prose = z
  .string()
  .nullish()
  .transform((text) => text || null);
const time = z.unknown().optional().transform(vendorDate);
const needed = word.pipe(z.string({ error: 'it is missing' }));

const Erratum = z.object({
  id: needed,
  title: word,
  description: prose,
  type: word,
  severity: word,
  issued: time,
  updated: time,
  url: z.unknown().optional().transform(webAddressOf),
  cves: z
    .array(z.unknown())
    .nullish()
    .transform((cves) => distinctWords((cves ?? []).map(cveIdOf))),
  packages: z
    .array(z.object({ name: needed, version: word, architecture: word }))
    .nullish()
    .transform((packages) => packages ?? []),
});

export type Erratum = z.infer<typeof Erratum>;

/** An erratum, or the id of a record that is none (null when it has no id) and why. */
export type ErratumRead =
  | { readonly kind: 'erratum'; readonly erratum: Erratum }
  | { readonly kind: 'rejection'; readonly rejected: string | null; readonly reason: string };

export function readErratum(record: unknown): ErratumRead {
  const read = Erratum.safeParse(record);
  if (read.success) return { kind: 'erratum', erratum: read.data };
  const id = typeof record === 'object' && record !== null ? wordOf(Reflect.get(record, 'id')) : null;
  return { kind: 'rejection', rejected: id, reason: id === null ? 'it has no id' : invalidReason(read.error) };
}
`;

const feedFile = (
  names: FamilyNames,
) => `/** ${names.label}'s errata, one document for each release. */
import { type PartManifest, type Document, type Entry, entry, type Feed, type Part, type Publication, type FeedItem } from '../../definition/feed.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import { binaryPackageNames, errataCategoryOf } from '../../schemas/errata-values.ts';
import { unknownErrataWords, vendorWordFacts } from '../../schemas/errata-words.ts';
import { severityOf } from '../../schemas/severities.ts';
import { ${names.name}List } from './${names.name}-list.ts';
import { type Erratum, readErratum } from './${names.name}-record.ts';

const base = '${names.address}';

${feedHead(names, 'errataOf')}
function errataOf(release: string): Part {
  return {
    key: release,
    label: \`${names.label} \${release}\`,
    async contents(opened: Publication): Promise<PartManifest> {
      return { documents: [await opened.open(\`\${base}\${release}/errata.json\`)], whole: true };
    },
    async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
      for (const document of documents) yield* readErrata(release, document);
    },
  };
}

async function* readErrata(release: string, document: Document): AsyncGenerator<FeedItem> {
  const met = new Set<string>();
  let place = 0;
  for await (const { value } of jsonRecords(document, 'errata')) {
    place += 1;
    const read = readErratum(value);
    if (read.kind !== 'erratum') {
      const keys = read.rejected === null ? [] : [erratumKey(release, read.rejected)];
      yield { kind: 'rejection', rejected: read.rejected ?? \`record \${place}\`, keys, reason: read.reason, url: document.url };
    } else if (met.has(read.erratum.id)) {
      yield { kind: 'rejection', rejected: read.erratum.id, keys: [erratumKey(release, read.erratum.id)], reason: 'its id came before', url: document.url };
    } else {
      met.add(read.erratum.id);
      yield erratumEntry(release, read.erratum);
    }
  }
}

/** An erratum counts for one release: the same id in two releases is two rows. */
function erratumKey(release: string, id: string): string {
  return \`\${release}:\${id}\`;
}

function erratumEntry(release: string, erratum: Erratum): Entry {
  const { id, title, severity, type, packages } = erratum;
  const words = { severity, type, status: null };
  return entry(
    ${names.name}List,
    erratumKey(release, id),
    {
      title,
      releaseDate: erratum.issued ?? erratum.updated,
      bulletinId: id,
      severity: severityOf(severity),
      binaryPkgName: binaryPackageNames(
        title,
        packages.map(({ name }) => ({ name, sourcePackage: null })),
      ),
      category: errataCategoryOf(type, id),
      osVersion: [\`${names.label} \${release}\`],
    },
    {
      updatedDate: erratum.updated,
      description: erratum.description,
      ...vendorWordFacts(words),
      referenceLink: erratum.url,
      cve: erratum.cves,
      packages,
    },
    unknownErrataWords(words),
  );
}
`;

const fixturesFile = ({
  name,
  address,
}: FamilyNames) => `/** What the fixtures publish: two releases, written for the tests in the vendor's form. */
import { pathInMirror } from '../../../parsers/mirror-layout.ts';
import type { FixtureFiles } from '../../../testing/fixture-files.ts';

const base = '${address}';

const security = {
  id: 'EXSA-2021:4101',
  type: 'security',
  severity: 'Important',
  title: 'Important: lantern security update',
  issued: '2021-06-03T10:00:00Z',
  updated: '2021-06-04T11:30:00Z',
  description: 'The lantern packages provide a lighting daemon.\\n\\nIt fixes an overflow in wick parsing.',
  url: \`\${base}errata/EXSA-2021-4101.html\`,
  cves: ['CVE-2021-20001'],
  packages: [
    { name: 'lantern', version: '4.1-7', architecture: 'x86_64' },
    { name: 'lantern-libs', version: '4.1-7', architecture: 'x86_64' },
  ],
};
const bugfix = {
  id: 'EXBA-2021:4102',
  type: 'bugfix',
  title: 'candle bug fix update',
  issued: '2021-06-05T09:00:00Z',
  packages: [{ name: 'candle', version: '0.9-1', architecture: 'noarch' }],
};
/** No package without a name can be used. */
const damaged = { id: 'EXSA-2021:4103', packages: [{ version: '1.0-1' }] };

const published: Readonly<Record<string, readonly object[]>> = { '1': [security, bugfix, damaged], '2': [security] };

/** Run npm run fixtures -- ${name} after a change. */
export function ${name}Fixtures(): FixtureFiles {
  return Object.fromEntries(
    Object.entries(published).map(([release, errata]) => [
      pathInMirror(\`\${base}\${release}/errata.json\`),
      \`\${JSON.stringify({ errata }, null, 2)}\\n\`,
    ]),
  );
}
`;

// oxlint-disable-next-line max-lines-per-function -- it is the text of a file, not code
const testFile = ({ name, label, address }: FamilyNames) => `import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import { type Entry, type FeedItem } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { ${name}Feed } from './${name}-feed.ts';

const fixtures = publicationFrom(new URL('./fixtures/', import.meta.url));
const address = '${address}1/errata.json';

async function readings(release: string): Promise<FeedItem[]> {
  const part = partOf(${name}Feed, release);
  return allOf(part.read(await part.contents(fixtures)));
}

async function entries(release: string): Promise<Map<string, Entry>> {
  const read = await readings(release);
  return new Map(read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]));
}

const readText = async (text: string) => allOf(partOf(${name}Feed, '1').read({ documents: [documentFrom(address, text)], whole: true }));

test('a release is one document, and whole', async () => {
  const { documents, whole } = await partOf(${name}Feed, '1').contents(fixtures);
  expect(documents.map(({ url }) => url)).toEqual([address]);
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
    vendorSeverity: 'Important',
    packages: [
      { name: 'lantern', version: '4.1-7', architecture: 'x86_64' },
      { name: 'lantern-libs', version: '4.1-7', architecture: 'x86_64' },
    ],
  });
});

test('an erratum for two releases is a row in each', async () => {
  expect([...(await entries('1')).keys()]).toEqual(['1:EXSA-2021:4101', '1:EXBA-2021:4102']);
  expect([...(await entries('2')).keys()]).toEqual(['2:EXSA-2021:4101']);
});

test('records that cannot be used are kept out one by one, with the reason', async () => {
  const read = await readText('{"errata":[3,{"id":"A"},{"id":"A"},{"id":"B","packages":[{}]},{"id":"C","title":{}}]}');
  expect(read.map((reading) => (reading.kind === 'rejection' ? \`\${reading.rejected}: \${reading.reason}\` : reading.kind === 'entry' && reading.key))).toEqual([
    'record 1: it has no id',
    '1:A',
    'A: its id came before',
    'B: packages.0.name: it is missing',
    'C: title: expected a word',
  ]);
});

test('a word that is not known is reported, and kept', async () => {
  const [reading] = await readText('{"errata":[{"id":"A","severity":"urgent"}]}');
  expect(reading).toMatchObject({
    row: { severity: 'Unspecified' },
    detail: { vendorSeverity: 'urgent' },
    unknownWords: [{ vocabulary: 'severity', word: 'urgent' }],
  });
});

test('a broken, cut off or foreign document throws', async () => {
  await expect(readText('{"errata":[{"id":"A"},{"id":"B')).rejects.toThrow('ends too early');
  await expect(readText('<html>Service Unavailable</html>')).rejects.toThrow('not valid JSON');
  await expect(readText('{"error":"maintenance"}')).rejects.toThrow('it has no array "errata"');
});
`;

const readme = ({ name, label, key, address }: FamilyNames) => `# ${label}

Fills \`${key}\` from \`${address}{1,2}/errata.json\`: one document for each release, each a part of its own and whole, read record by record. No account
is needed. An administrator can add later releases, such as 3.

One row for each release and erratum (natural key \`1:EXSA-2021:4101\`).

| field                    | from                                                                      |
| ------------------------ | ------------------------------------------------------------------------- |
| title                    | \`title\`                                                                   |
| releaseDate, updatedDate | \`issued\`, else \`updated\`; \`updated\`                                       |
| bulletinId               | \`id\`                                                                      |
| severity                 | \`severity\`; a word that is not known is Unspecified, and reported         |
| binaryPkgName            | distinct \`packages[].name\`: first the one that the title speaks of        |
| category                 | \`type\`, else the third letter of the id                                   |
| osVersion                | the part: ${label} 1                                                      |
| description, cve         | \`description\`, \`cves\`                                                     |
| referenceLink            | \`url\`                                                                     |
| packages                 | \`packages[]\`                                                              |

A record without an id, with a package without a name, or with an id that came before is kept out with its reason. A document that is cut off or is not
JSON throws.

The fixtures are written by \`testing/${name}-fixtures.ts\`: change it, then \`npm run fixtures -- ${name}\`.

${notVerified}
`;
