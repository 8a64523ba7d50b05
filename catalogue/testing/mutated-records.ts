/**
 * Changes one record of a document at random, in a document that is good: the part is read to its end, and all entries that the
 * record has nothing to do with are as they were.
 */
import type { Entry, Feed, Publication } from '../definition/feed.ts';
import { almalinuxFeed } from '../vendors/almalinux/almalinux-feed.ts';
import { centosFeed } from '../vendors/centos/centos-feed.ts';
import { opensuseFeed } from '../vendors/opensuse/opensuse-feed.ts';
import { oraclelinuxFeed } from '../vendors/oraclelinux/oraclelinux-feed.ts';
import { rockylinuxFeed } from '../vendors/rockylinux/rockylinux-feed.ts';
import { thirdpartyFeed } from '../vendors/thirdparty/thirdparty-feed.ts';
import { ubuntuFeed } from '../vendors/ubuntu/ubuntu-feed.ts';
import { allOf } from './all-of.ts';
import { chanceOf } from './chance.ts';
import { documentFrom } from './document-from.ts';
import { mutatedJson } from './mutated-json.ts';
import { mutatedXml } from './mutated-xml.ts';
import { partOf } from './part-of.ts';
import { publicationFrom } from './publication-from.ts';
import { fixturesOf } from './vendor-fixtures.ts';

export interface RecordSubject {
  readonly feed: Feed;
  readonly part: string;
  readonly address: RegExp;
  /** Of JSON: the member that is the array of the records, null where the document is. Of XML: what a record is. */
  readonly records: string | null | RegExp;
}

export const recordSubjects: readonly RecordSubject[] = [
  { feed: almalinuxFeed, part: '8', address: /errata\.full\.json$/, records: 'data' },
  { feed: rockylinuxFeed, part: 'advisories', address: /page=1&/, records: 'advisories' },
  { feed: ubuntuFeed, part: 'notices', address: /notices\.json\?/, records: 'notices' },
  { feed: thirdpartyFeed, part: 'compression', address: /index\.v2\.json$/, records: null },
  {
    feed: opensuseFeed,
    part: '15.6',
    address: /\/oss\/.*updateinfo/,
    records: /<update [\s\S]*?<\/update>/g,
  },
  {
    feed: oraclelinuxFeed,
    part: '8',
    address: /\/baseos\/.*updateinfo/,
    records: /<update [\s\S]*?<\/update>/g,
  },
  {
    feed: centosFeed,
    part: 'errata',
    address: /\.xml\.bz2$/,
    records: /<(CE[\w-]+) [\s\S]*?<\/\1>/g,
  },
];

/** The document's records, and the document with others in their place. */
interface Taken {
  readonly records: readonly unknown[];
  withRecords(records: readonly unknown[]): string;
}

function taken(text: string, records: RecordSubject['records']): Taken {
  if (records instanceof RegExp) {
    const found = [...text.matchAll(records)].map(([record]) => record);
    return {
      records: found,
      withRecords: (others) =>
        others.reduce<string>(
          (document, other, place) => document.replace(found[place] ?? '', () => String(other)),
          text,
        ),
    };
  }
  // Numbers that are larger than those of JavaScript become others: the same ones each time.
  const document = JSON.parse(text) as Record<string, unknown[]>;
  if (records === null)
    return {
      records: document as unknown as unknown[],
      withRecords: (others) => JSON.stringify(others),
    };
  return {
    records: document[records] ?? [],
    withRecords: (others) => JSON.stringify({ ...document, [records]: others }),
  };
}

export interface ComparedRecords {
  readonly failures: readonly string[];
  /** The entries that nothing but the changed record could change. */
  readonly compared: number;
}

export async function compareBesideMutated(
  { feed, part: key, address, records }: RecordSubject,
  times: number,
): Promise<ComparedRecords> {
  const publication = publicationFrom(fixturesOf(feed));
  const part = partOf(feed, key);
  const { documents } = await part.contents(publication);
  const document = documents.find(({ url }) => address.test(url));
  if (document === undefined) throw new Error(`There is no document ${address.source}`);
  const original = taken(await document.text(), records);
  if (original.records.length < 3) throw new Error(`There are too few records in ${document.url}`);

  async function entriesOf(changed: readonly unknown[]): Promise<Map<string, Entry>> {
    const instead = documentFrom(document?.url ?? '', original.withRecords(changed));
    const open: Publication['open'] = (url, options) =>
      url === instead.url ? Promise.resolve(instead) : publication.open(url, options);
    const readings = await allOf(part.read(await part.contents({ ...publication, open })));
    return new Map(
      readings.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
    );
  }

  const all = await entriesOf(original.records);
  const failures: string[] = [];
  let compared = 0;
  for (let seed = 0; seed < times; seed++) {
    const chance = chanceOf(seed);
    const place = Math.floor(chance() * original.records.length);
    const record = original.records[place];
    const { content, done } =
      typeof record === 'string' ? mutatedXml(record, chance) : mutatedJson(record, chance);
    // What an open quotation mark swallows is not this record's alone.
    if (/^(?:not well formed|line )/.test(done)) continue;
    const changed =
      typeof record === 'string' ? content : (JSON.parse(content.toString()) as unknown);
    // What is not there cannot have a hand in anything.
    const others = await entriesOf(
      original.records.toSpliced(place, 1, ...(typeof record === 'string' ? [''] : [{}])),
    );
    try {
      const entries = await entriesOf(original.records.toSpliced(place, 1, changed));
      for (const [name, entry] of others) {
        const asEver = JSON.stringify(entry) === JSON.stringify(all.get(name));
        if (asEver) compared += 1;
        if (asEver && JSON.stringify(entries.get(name)) !== JSON.stringify(entry))
          failures.push(`seed ${seed}, ${done}\n  ${name} is another`);
      }
    } catch (error) {
      failures.push(
        `seed ${seed}, ${done}\n  ${error instanceof Error ? error.stack : String(error)}`,
      );
    }
  }
  return { failures, compared };
}
