/** Feed of AlmaLinux's errata: one document per major release. */
import {
  createRejection,
  type Document,
  type Entry,
  entry,
  type Feed,
  type FeedItem,
  type Part,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import {
  findRepeated,
  findUnknownErrataWords,
  formatRpmVersion,
  listBinaryPackageNames,
  removeDuplicates,
  toChecksumType,
  toErrataCategory,
  toErratumKey,
  toVendorWordFacts,
} from '../../schemas/errata-values.ts';
import {
  createForeignBuildRemark,
  isForeignBuild,
  parseBuildTag,
} from '../../schemas/foreign-builds.ts';
import { toSeverity } from '../../schemas/severities.ts';
import {
  findMentions,
  findUnknownMentions,
  toModuleRows,
  toReferenceRows,
} from '../../schemas/updateinfo-entry.ts';
import { anySuggestions } from '../../values/errata-suggestions.ts';
import { remarkOnDates } from '../../values/vendor-dates.ts';
import { almalinuxList } from './almalinux-list.ts';
import { type Advisory, getAdvisoryId, readAdvisory } from './almalinux-record.ts';

export const almalinuxFeed: Feed = {
  fills: [almalinuxList],
  homepage: 'https://errata.almalinux.org/',
  schedule: '35 */4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 4,
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
    async contents(publication) {
      return {
        documents: [
          await publication.open(`https://errata.almalinux.org/${release}/errata.full.json`),
        ],
        isComplete: true,
      };
    },
    async *read({ documents }) {
      for (const document of documents) yield* readErrata(release, document);
    },
  };
}

/** Reads the document twice: first for the repeated ids, so that only those advisories are buffered. */
async function* readErrata(release: string, document: Document): AsyncGenerator<FeedItem> {
  const repeated = await findRepeated(readIds(document));
  const buffered = new Map<string, Advisory>();
  let index = 0;
  let own = 0;
  let foreignTag: string | null = null;
  for await (const { value } of jsonRecords(document, 'data')) {
    index += 1;
    const read = readAdvisory(value);
    if (read.kind !== 'advisory') {
      const { rejected, reason } = read;
      const keys = rejected === null ? [] : [toErratumKey(release, rejected)];
      yield createRejection(rejected ?? `record ${index}`, reason, document.url, keys);
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
        keys: foreign.length > 0 ? [] : [toErratumKey(release, advisory.id)],
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

async function* readIds(document: Document): AsyncGenerator<string | null> {
  for await (const { value } of jsonRecords(document, 'data', omitted)) yield getAdvisoryId(value);
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

function toErrataEntry(release: string, advisory: Advisory): Entry {
  const { id } = advisory;
  const packages = removeDuplicates(advisory.packages.map(toPackageRow));
  return entry(
    almalinuxList,
    toErratumKey(release, id),
    {
      title: advisory.title,
      releaseDate: advisory.issued.time ?? advisory.updated.time,
      bulletinId: id,
      severity: toSeverity(advisory.severity),
      binaryPkgName: listBinaryPackageNames(advisory.title, packages),
      category: toErrataCategory(advisory.type, id),
      osVersion: [`AlmaLinux ${release}`],
    },
    {
      updatedDate: advisory.updated.time,
      description: advisory.description,
      ...anySuggestions(packages),
      ...toVendorWordFacts(advisory),
      referenceLink: `https://errata.almalinux.org/${release}/${id.replaceAll(':', '-')}.html`,
      ...findMentions(advisory.references),
      packages,
      modules: toModuleRows(advisory.modules),
      references: toReferenceRows(advisory.references),
    },
    [...findUnknownErrataWords(advisory), ...findUnknownMentions(advisory.references)],
  );
}

/** The file name is not used: unlike the fields it sometimes contains a folder. */
function toPackageRow(advisoryPackage: Advisory['packages'][number]) {
  return {
    name: advisoryPackage.name,
    version: formatRpmVersion(
      advisoryPackage.epoch,
      advisoryPackage.version,
      advisoryPackage.release,
    ),
    architecture: advisoryPackage.arch,
    sourcePackage: advisoryPackage.src,
    module: advisoryPackage.module,
    rebootSuggested: advisoryPackage.rebootSuggested,
    restartSuggested: advisoryPackage.restartSuggested,
    reloginSuggested: advisoryPackage.reloginSuggested,
    checksum: advisoryPackage.checksum,
    checksumType: toChecksumType(advisoryPackage.checksumType, advisoryPackage.checksum),
  };
}
