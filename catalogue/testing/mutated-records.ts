/**
 * Changes one record of a valid document at random: the part must be read to its end, and all unrelated entries must be
 * unchanged.
 */
import type { Entry, Feed, Publication } from '../definition/feed.ts';
import { almalinuxFeed } from '../vendors/almalinux/almalinux-feed.ts';
import { centosFeed } from '../vendors/centos/centos-feed.ts';
import { opensuseFeed } from '../vendors/opensuse/opensuse-feed.ts';
import { oraclelinuxFeed } from '../vendors/oraclelinux/oraclelinux-feed.ts';
import { rockylinuxFeed } from '../vendors/rockylinux/rockylinux-feed.ts';
import { thirdpartyFeed } from '../vendors/thirdparty/thirdparty-feed.ts';
import { ubuntuFeed } from '../vendors/ubuntu/ubuntu-feed.ts';
import { createChance } from './chance.ts';
import { collect } from './collect.ts';
import { documentFrom } from './document-from.ts';
import { findPart } from './find-part.ts';
import { mutatedJson } from './mutated-json.ts';
import { mutatedXml } from './mutated-xml.ts';
import { publicationFrom } from './publication-from.ts';
import { findFixtures } from './vendor-fixtures.ts';

export interface RecordSubject {
  readonly feed: Feed;
  readonly part: string;
  readonly address: RegExp;
  /** JSON: the member that is the array of records, null for the document itself. XML: the pattern of a record. */
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

/** A document's records, and the document with other records instead. */
interface SplitDocument {
  readonly records: readonly unknown[];
  withRecords(records: readonly unknown[]): string;
}

function splitDocument(text: string, records: RecordSubject['records']): SplitDocument {
  if (records instanceof RegExp) {
    const found = [...text.matchAll(records)].map(([record]) => record);
    return {
      records: found,
      withRecords: (others) =>
        others.reduce<string>(
          (document, other, index) => document.replace(found[index] ?? '', () => String(other)),
          text,
        ),
    };
  }
  // Numbers beyond JavaScript's precision change, but equally each time.
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
  /** The number of entries that only the changed record could change. */
  readonly compared: number;
}

export async function compareBesideMutated(
  { feed, part: key, address, records }: RecordSubject,
  times: number,
): Promise<ComparedRecords> {
  const publication = publicationFrom(findFixtures(feed));
  const part = findPart(feed, key);
  const { documents } = await part.contents(publication);
  const document = documents.find(({ url }) => address.test(url));
  if (document === undefined) throw new Error(`No document matches ${address.source}`);
  const original = splitDocument(await document.text(), records);
  if (original.records.length < 3) throw new Error(`There are too few records in ${document.url}`);

  async function readEntries(changed: readonly unknown[]): Promise<Map<string, Entry>> {
    const instead = documentFrom(document?.url ?? '', original.withRecords(changed));
    const open: Publication['open'] = (url, options) =>
      url === instead.url ? Promise.resolve(instead) : publication.open(url, options);
    const readings = await collect(part.read(await part.contents({ ...publication, open })));
    return new Map(
      readings.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
    );
  }

  const all = await readEntries(original.records);
  const failures: string[] = [];
  let compared = 0;
  for (let seed = 0; seed < times; seed++) {
    const chance = createChance(seed);
    const index = Math.floor(chance() * original.records.length);
    const record = original.records[index];
    const { content, done } =
      typeof record === 'string' ? mutatedXml(record, chance) : mutatedJson(record, chance);
    // An open quotation mark consumes other records too.
    if (/^(?:not well formed|line )/.test(done)) continue;
    const changed =
      typeof record === 'string' ? content : (JSON.parse(content.toString()) as unknown);
    // An absent record cannot influence any entry.
    const others = await readEntries(
      original.records.toSpliced(index, 1, ...(typeof record === 'string' ? [''] : [{}])),
    );
    try {
      const entries = await readEntries(original.records.toSpliced(index, 1, changed));
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
