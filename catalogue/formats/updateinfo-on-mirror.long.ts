/** updateinfo.xml of the mirror's errata, compared with the vendors' own: read with patterns, and with the product's reader. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../definition/feed.ts';
import { fold } from '../definition/fold.ts';
import { readUpdateinfo } from '../parsers/updateinfo.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { documentFrom } from '../testing/document-from.ts';
import { findPart } from '../testing/find-part.ts';
import { withoutEntities } from '../testing/mirror/mirror-record.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { readAllItems } from '../testing/read-all-items.ts';
import { amazonlinuxFeed } from '../vendors/amazonlinux/amazonlinux-feed.ts';
import { opensuseFeed } from '../vendors/opensuse/opensuse-feed.ts';
import { oraclelinuxFeed } from '../vendors/oraclelinux/oraclelinux-feed.ts';
import { updatesEnd, updatesStart, updateXml } from './updateinfo-xml.ts';

/** The values that machines act on, as text: id, type, severity, time, packages, CVEs, bugs, suggestions. */
type Facts = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads updateinfo with patterns. An advisory that several repositories have is joined. */
function readFacts(documents: readonly string[]): Facts {
  const facts = new Map<string, Set<string>>();
  for (const update of documents.flatMap((text) => text.split('<update ').slice(1))) {
    const one = (pattern: RegExp) => withoutEntities(pattern.exec(update)?.[1] ?? '') ?? '';
    const id = one(/<id>([^<]*)/).trim();
    const own = facts.get(id) ?? new Set<string>();
    facts.set(id, own);
    own.add(`title ${one(/<title>([^<]*)/).trim()}`);
    own.add(`type ${one(/^[^>]*type="([^"]*)"/)}`);
    own.add(`severity ${one(/<severity>([^<]*)/)}`);
    own.add(`issued ${toTime(one(/<issued date="([^"]*)"/))}`);
    for (const fact of readPackages(update)) own.add(fact);
    for (const [element] of update.matchAll(/<reference [^>]*>/g)) {
      const { type, id: name = '' } = readAttributes(element);
      if (/^(cve|bugzilla)$/i.test(type ?? '')) own.add(`${fold(type ?? '')} ${name}`);
    }
    for (const [, tag] of update.matchAll(/<(\w+_suggested)>(?:true|1)/gi)) own.add(`${tag}`);
  }
  return facts;
}

/** Packages with epoch and module stream. */
const readPackages = (update: string): readonly string[] =>
  [...update.matchAll(/<collection[ >].*?<\/collection>/gs)].flatMap(([collection]) => {
    const module = readAttributes(/<module [^>]*>/.exec(collection)?.[0] ?? '');
    const stream = module.name === undefined ? '' : ` of ${module.name}:${module.stream ?? ''}`;
    return [...collection.matchAll(/<package [^>]*>/g)].map(([element]) => {
      const {
        name = '',
        epoch = '',
        version = '',
        release = '',
        arch = '',
      } = readAttributes(element);
      return `package ${name}-${epoch || '0'}:${version}-${release}.${arch}${stream}`;
    });
  });

const readAttributes = (element: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(/^<[^>]*/.exec(element)?.[0] ?? '').matchAll(/([\w-]+)="([^"]*)"/g)].map(
      ([, name, value]) => [name, withoutEntities(value) ?? ''],
    ),
  );

/** Epoch seconds, a day, or a day with a time in UTC. */
const toTime = (written: string): number =>
  /^\d+$/.test(written)
    ? Number(written) * 1000
    : Date.parse(`${written.replace(' ', 'T')}${written.length > 10 ? 'Z' : ''}`);

const readRelease = ({ row }: Entry) => String((row['osVersion'] as readonly string[])[0]);

const writeUpdates = (entries: readonly Entry[]): string =>
  [
    updatesStart,
    ...entries.map((one) =>
      updateXml(one, { list: one.list, release: readRelease(one), epochs: null }),
    ),
    updatesEnd,
  ].join('');

/** Facts of one side that the other lacks, with their advisory. */
function differences(expected: Facts, found: Facts): readonly string[] {
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((id) => {
    const theirs = expected.get(id) ?? new Set<string>();
    const ours = found.get(id) ?? new Set<string>();
    return [
      ...[...theirs.difference(ours)].map((fact) => `${id} lacks ${fact}`),
      ...[...ours.difference(theirs)].map((fact) => `${id} adds ${fact}`),
    ];
  });
}

async function compare(folder: URL, part: Parameters<typeof readAllItems>[0], pattern: string) {
  const items = await readAllItems(part, await part.contents(publicationFrom(folder)));
  const entries = items.filter((item) => item.kind === 'entry');
  const theirs = globSync(fileURLToPath(new URL(pattern, folder))).map((path) => {
    const bytes = readFileSync(path);
    return String(path.endsWith('.zst') ? zstdDecompressSync(bytes) : gunzipSync(bytes));
  });
  const text = writeUpdates(entries);
  return { text, entries, theirs: readFacts(theirs), ours: readFacts([text]) };
}

/** Oracle's OVAL states CVEs that its updateinfo lacks. */
const isCveOfOval = (difference: string) => / adds cve CVE-/.test(difference);

describeWithMirror("updateinfo.xml of the mirror's errata", () => {
  test.each([
    [oraclelinuxFeed, '7', 'yum.oracle.com/repo/OracleLinux/OL7/**/*-updateinfo.xml.gz', 1194],
    [oraclelinuxFeed, '8', 'yum.oracle.com/repo/OracleLinux/OL8/**/*-updateinfo.xml.gz', 1842],
    [oraclelinuxFeed, '9', 'yum.oracle.com/repo/OracleLinux/OL9/**/*-updateinfo.xml.gz', 150],
    [opensuseFeed, '15.3', 'download.opensuse.org/update/leap/15.3/**/*-updateinfo.xml.*', 311],
    [opensuseFeed, '15.6', 'download.opensuse.org/update/leap/15.6/**/*-updateinfo.xml.*', 28],
  ])('says what the vendor says: %#', async (feed, release, pattern, count) => {
    const { text, entries, theirs, ours } = await compare(
      new URL(feedMirror),
      findPart(feed, release),
      pattern,
    );
    expect(entries).toHaveLength(count);
    const found = differences(theirs, ours).filter(
      (difference) => !difference.startsWith('ELSA-2023-12143 ') && !isCveOfOval(difference),
    );
    expect(found).toEqual([]);
    await expectSameReading(text, entries);
  });
});

describe("updateinfo.xml of Amazon's fixture", () => {
  test('says what the vendor says', async () => {
    const folder = new URL('../vendors/amazonlinux/fixtures/', import.meta.url);
    const { text, entries, theirs, ours } = await compare(
      folder,
      findPart(amazonlinuxFeed, '2023'),
      '**/*-updateinfo.xml.gz',
    );
    expect(entries.length).toBeGreaterThan(0);
    expect(differences(theirs, ours)).toEqual([]);
    await expectSameReading(text, entries);
  });
});

/** The note that `updateXml` adds to the vendor's description. */
const ownNote = /(?:^|\n\n)Note of Patch Repository: .*$/s;

/** The product reads the same records from its own file, by the identifiers of the file. */
async function expectSameReading(text: string, entries: readonly Entry[]): Promise<void> {
  const read = new Map<string, string>();
  for await (const item of readUpdateinfo(
    documentFrom('https://example.org/updateinfo.xml', text),
  )) {
    if (item.kind !== 'advisory') throw new Error(JSON.stringify(item));
    const description = (item.description ?? '').replace(ownNote, '') || null;
    read.set(item.id, JSON.stringify([item.title, item.severity, item.issued, description]));
  }
  const stored = entries.map(({ row, detail }): [string, string] => [
    String(row['patchName'] ?? row['bulletinId']),
    JSON.stringify([
      row['title'],
      detail['vendorSeverity'],
      row['releaseDate'],
      detail['description'],
    ]),
  ]);
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(stored));
}
