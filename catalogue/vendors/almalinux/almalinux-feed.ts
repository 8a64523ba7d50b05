/** AlmaLinux's errata, one document for each major release. */
import type {
  Document,
  Feed,
  FeedItem,
  Part,
  PartManifest,
  Publication,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import { buildTag, foreignBuildRemark, isForeignBuild } from '../../schemas/foreign-builds.ts';
import { almalinuxEntry, almalinuxRemarks, errataKey } from './almalinux-entry.ts';
import { almalinuxList } from './almalinux-list.ts';
import { type Advisory, advisoryId, readAdvisory } from './almalinux-record.ts';

export const almalinuxFeed: Feed = {
  fills: [almalinuxList],
  homepage: 'https://errata.almalinux.org/',
  schedule: '35 */4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 3,
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
  let own = 0;
  let foreignTag: string | null = null;
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
    const tag = `el${release}`;
    const foreign = read.advisory.packages.filter((build) => isForeignBuild(build, tag));
    const advisory = {
      ...read.advisory,
      packages: read.advisory.packages.filter((build) => !foreign.includes(build)),
    };
    yield* almalinuxRemarks(release, advisory);
    if (foreign.length > 0) yield foreignBuildRemark(advisory.id, foreign, [tag]);
    const [build] = foreign;
    if (build !== undefined) foreignTag ??= buildTag(build);
    if (advisory.packages.length === 0) {
      yield {
        kind: 'rejection',
        rejected: advisory.id,
        // Builds of another release are not to be installed: a row that has only those is withdrawn.
        keys: foreign.length > 0 ? [] : [errataKey(release, advisory.id)],
        reason:
          foreign.length > 0 ? `none of its packages is built for ${tag}` : 'it names no package',
        url: document.url,
      };
      continue;
    }
    own += 1;
    if (!repeated.has(advisory.id)) {
      yield almalinuxEntry(release, advisory);
      continue;
    }
    const before = held.get(advisory.id);
    held.set(advisory.id, before === undefined ? advisory : merged(before, advisory));
  }
  if (own === 0 && foreignTag !== null)
    throw new BrokenDocument(
      document.url,
      `all of its packages are built for ${foreignTag}, not for el${release}`,
    );
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
