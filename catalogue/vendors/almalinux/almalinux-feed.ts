/** AlmaLinux's errata, one document for each major release. */
import type {
  Document,
  Feed,
  FeedItem,
  Part,
  PartManifest,
  Publication,
} from '../../definition/feed.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import { almalinuxEntry, almalinuxRemarks, errataKey } from './almalinux-entry.ts';
import { almalinuxList } from './almalinux-list.ts';
import { type Advisory, advisoryId, readAdvisory } from './almalinux-record.ts';

export const almalinuxFeed: Feed = {
  fills: [almalinuxList],
  homepage: 'https://errata.almalinux.org/',
  schedule: '35 */4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 2,
  parts: ['8', '9', '10'].map(errataOf),
  otherParts: {
    words: 'a major release after 10, such as 11',
    partOf: (key) => (/^(1[1-9]|[2-9]\d)$/.test(key) ? errataOf(key) : null),
  },
};

function errataOf(release: string): Part {
  return {
    key: release,
    label: `AlmaLinux ${release}`,
    async contents(publication: Publication): Promise<PartManifest> {
      return {
        documents: [
          await publication.open(`https://errata.almalinux.org/${release}/errata.full.json`),
        ],
        whole: true,
      };
    },
    async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
      for (const document of documents) yield* readErrata(release, document);
    },
  };
}

/** Read twice: once for the ids that come more than once, so that only those are held back until all of their records are met. */
async function* readErrata(release: string, document: Document): AsyncGenerator<FeedItem> {
  const repeated = await repeatedIds(document);
  const held = new Map<string, Advisory>();
  let place = 0;
  for await (const { value } of jsonRecords(document, 'data')) {
    place += 1;
    const read = readAdvisory(value);
    if (read.kind !== 'advisory') {
      const { rejected, reason } = read;
      const keys = rejected === null ? [] : [errataKey(release, rejected)];
      yield {
        kind: 'rejection',
        rejected: rejected ?? `record ${place}`,
        keys,
        reason,
        url: document.url,
      };
      continue;
    }
    const { advisory } = read;
    yield* almalinuxRemarks(release, advisory);
    if (!repeated.has(advisory.id)) {
      yield almalinuxEntry(release, advisory);
      continue;
    }
    const before = held.get(advisory.id);
    held.set(advisory.id, before === undefined ? advisory : merged(before, advisory));
  }
  for (const advisory of held.values()) yield almalinuxEntry(release, advisory);
}

async function repeatedIds(document: Document): Promise<ReadonlySet<string>> {
  const met = new Set<string>();
  const repeated = new Set<string>();
  for await (const { value } of jsonRecords(document, 'data')) {
    const id = advisoryId(value);
    if (id === null) continue;
    if (met.has(id)) repeated.add(id);
    met.add(id);
  }
  return repeated;
}

/** What the vendor updated last counts; packages, modules and references are those of both. */
function merged(one: Advisory, other: Advisory): Advisory {
  const [newer, older] =
    (other.updated.time ?? 0) >= (one.updated.time ?? 0) ? [other, one] : [one, other];
  return {
    ...newer,
    packages: [...newer.packages, ...older.packages],
    modules: [...newer.modules, ...older.modules],
    references: [...newer.references, ...older.references],
  };
}
