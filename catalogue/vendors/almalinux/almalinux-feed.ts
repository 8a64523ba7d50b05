/** Feed of AlmaLinux's errata: one document per major release. */
import type {
  Document,
  Feed,
  FeedItem,
  Part,
  PartManifest,
  Publication,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import {
  createForeignBuildRemark,
  isForeignBuild,
  parseBuildTag,
} from '../../schemas/foreign-builds.ts';
import { remarkOnDates } from '../../values/date-remarks.ts';
import { toErrataEntry, toErrataKey } from './almalinux-entry.ts';
import { almalinuxList } from './almalinux-list.ts';
import { type Advisory, getAdvisoryId, readAdvisory } from './almalinux-record.ts';

export const almalinuxFeed: Feed = {
  fills: [almalinuxList],
  homepage: 'https://errata.almalinux.org/',
  schedule: '35 */4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 3,
  parts: ['8', '9', '10'].map(createErrataPart),
  otherParts: {
    words: 'a major release after 10, such as 11',
    toPart: (key) => (/^(1[1-9]|[2-9]\d)$/.test(key) ? createErrataPart(key) : null),
  },
};

function createErrataPart(release: string): Part {
  return {
    key: release,
    label: `AlmaLinux ${release}`,
    async contents(publication: Publication): Promise<PartManifest> {
      return {
        documents: [
          await publication.open(`https://errata.almalinux.org/${release}/errata.full.json`),
        ],
        isComplete: true,
      };
    },
    async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
      for (const document of documents) yield* readErrata(release, document);
    },
  };
}

/** Reads the document twice: first for the repeated ids, so that only those advisories are buffered. */
async function* readErrata(release: string, document: Document): AsyncGenerator<FeedItem> {
  const repeated = await findRepeatedIds(document);
  const buffered = new Map<string, Advisory>();
  let index = 0;
  let own = 0;
  let foreignTag: string | null = null;
  for await (const { value } of jsonRecords(document, 'data')) {
    index += 1;
    const read = readAdvisory(value);
    if (read.kind !== 'advisory') {
      const { rejected, reason } = read;
      const keys = rejected === null ? [] : [toErrataKey(release, rejected)];
      yield {
        kind: 'rejection',
        rejected: rejected ?? `record ${index}`,
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
    yield* remarkOnDates(`AlmaLinux ${release}, ${advisory.id}`, {
      issued_date: advisory.issued.written,
      updated_date: advisory.updated.written,
    });
    if (foreign.length > 0) yield createForeignBuildRemark(advisory.id, foreign, [tag]);
    const [build] = foreign;
    if (build !== undefined) foreignTag ??= parseBuildTag(build);
    if (advisory.packages.length === 0) {
      yield {
        kind: 'rejection',
        rejected: advisory.id,
        // Builds for another release must not be installed: a row with only such builds is withdrawn.
        keys: foreign.length > 0 ? [] : [toErrataKey(release, advisory.id)],
        reason:
          foreign.length > 0 ? `none of its packages is built for ${tag}` : 'it names no package',
        url: document.url,
      };
      continue;
    }
    own += 1;
    if (!repeated.has(advisory.id)) {
      yield toErrataEntry(release, advisory);
      continue;
    }
    const before = buffered.get(advisory.id);
    buffered.set(advisory.id, before === undefined ? advisory : mergeAdvisories(before, advisory));
  }
  if (own === 0 && foreignTag !== null)
    throw new BrokenDocument(
      document.url,
      `all of its packages are built for ${foreignTag}, not for el${release}`,
    );
  for (const advisory of buffered.values()) yield toErrataEntry(release, advisory);
}

/** Members that are most of an advisory. The second reading validates them. */
const omitted = { keys: new Set(['packages', 'pkglist', 'modules', 'references']), depth: 1 };

async function findRepeatedIds(document: Document): Promise<ReadonlySet<string>> {
  const met = new Set<string>();
  const repeated = new Set<string>();
  for await (const { value } of jsonRecords(document, 'data', omitted)) {
    const id = getAdvisoryId(value);
    if (id === null) continue;
    if (met.has(id)) repeated.add(id);
    met.add(id);
  }
  return repeated;
}

/** Takes the words of the advisory updated last, and the packages, modules and references of both. */
function mergeAdvisories(a: Advisory, b: Advisory): Advisory {
  const [newer, older] = (b.updated.time ?? 0) >= (a.updated.time ?? 0) ? [b, a] : [a, b];
  return {
    ...newer,
    packages: [...newer.packages, ...older.packages],
    modules: [...newer.modules, ...older.modules],
    references: [...newer.references, ...older.references],
  };
}
