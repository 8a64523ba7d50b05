/** A feed of two parts for tests: each one JSON document, an array of records, read as AlmaLinux errata. */
import { entry, type Feed, type Part, type Reading } from '@patch/catalogue/definition/feed.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';

export interface SmallRecord {
  readonly id: string;
  readonly title?: unknown;
  readonly severity?: string;
  readonly description?: string;
  readonly reject?: string;
  readonly remark?: string;
  readonly formerKeys?: readonly string[];
}

export const smallFeed: Feed = {
  fills: [almalinuxList],
  homepage: 'https://small.example/',
  schedule: '15 */6 * * *',
  version: 1,
  parts: [smallPart('one'), smallPart('two')],
  otherParts: {
    words: 'a number in words, such as three',
    partOf: (key) => (/^(one|two|three|four)$/.test(key) ? smallPart(key) : null),
  },
};

function smallPart(key: string): Part {
  return {
    key,
    label: `Small ${key}`,
    contents: async (publication) => ({ documents: [await publication.open(`https://small.example/${key}.json`)], whole: true }),
    async *read({ documents }): AsyncIterable<Reading> {
      for (const document of documents) {
        for (const record of JSON.parse(await document.text()) as SmallRecord[]) yield readingOf(record, document.url);
      }
    },
  };
}

function readingOf({ id, title, severity, description, reject, remark, formerKeys }: SmallRecord, url: string): Reading {
  if (remark !== undefined) return { remark };
  if (reject !== undefined) return { rejected: id, reason: reject, url };
  const row = { bulletinId: id, title: title as string, severity: severity as 'Low', releaseDate: 1_700_000_000_000 };
  return { ...entry(almalinuxList, id, row, { description: description ?? null }), ...(formerKeys && { formerKeys }) };
}
