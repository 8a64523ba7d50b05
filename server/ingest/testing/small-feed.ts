/** A feed of two parts for tests. Each part is a JSON array of records, which are read as AlmaLinux errata. */
import { entry, type Feed, type FeedItem, type Part } from '@patch/catalogue/definition/feed.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';

export interface SmallRecord {
  readonly id: string;
  readonly title?: unknown;
  readonly severity?: string;
  readonly description?: string;
  readonly reject?: string;
  readonly remark?: string;
  readonly formerKeys?: readonly string[];
  /** The bulletin, for several records with the same one. */
  readonly bulletin?: string;
  /** Null for a record without a date. */
  readonly releaseDate?: number | null;
  readonly cve?: readonly string[];
  readonly packages?: readonly { readonly name: string; readonly version: string }[];
}

export const smallFeed: Feed = {
  fills: [almalinuxList],
  homepage: 'https://small.example/',
  schedule: '15 */6 * * *',
  version: 1,
  parts: [smallPart('one'), smallPart('two')],
  otherParts: {
    words: 'a number in words, such as three',
    toPart: (key) => (/^(one|two|three|four)$/.test(key) ? smallPart(key) : null),
  },
};

function smallPart(key: string): Part {
  return {
    key,
    label: `Small ${key}`,
    contents: async (publication) => ({
      documents: [await publication.open(`https://small.example/${key}.json`)],
      isComplete: true,
    }),
    async *read({ documents }): AsyncIterable<FeedItem> {
      for (const document of documents) {
        for (const record of JSON.parse(await document.text()) as SmallRecord[])
          yield toItem(record, document.url);
      }
    },
  };
}

function toItem(record: SmallRecord, url: string): FeedItem {
  const {
    id,
    title,
    severity,
    description = null,
    reject,
    remark,
    formerKeys,
    bulletin = id,
    releaseDate = 1_700_000_000_000,
  } = record;
  if (remark !== undefined) return { kind: 'remark', remark };
  if (reject !== undefined) return { kind: 'rejection', rejected: id, reason: reject, url };
  const row = {
    bulletinId: bulletin,
    title: title as string,
    severity: severity as 'Low',
    releaseDate,
  };
  const several = {
    ...(record.cve && { cve: [...record.cve] }),
    ...(record.packages && { packages: [...record.packages] }),
  };
  return {
    ...entry(almalinuxList, id, row, { description, ...several }),
    ...(formerKeys && { formerKeys }),
  };
}
