/** Maps an advisory of Rocky Linux to rows and details of its list, one for each major release. */
import { type Entry, entry, type Remark } from '../../definition/feed.ts';
import {
  findUnknownErrataWords,
  formatRpmVersion,
  listBinaryPackageNames,
  removeDuplicates,
  toChecksumType,
  toErrataCategory,
  toErratumKey,
  toRedHatReference,
  toVendorWordFacts,
} from '../../schemas/errata-values.ts';
import {
  findSourceFileName,
  isSourcePackage,
  type RpmFileName,
  remarkOnUnreadPackages,
} from '../../schemas/rpm-file-name.ts';
import { toSeverity } from '../../schemas/severities.ts';
import { noSuggestions } from '../../values/errata-suggestions.ts';
import { remarkOnDates, vendorDate } from '../../values/vendor-dates.ts';
import {
  distinctWords,
  findCveIds,
  findUnknownCves,
  toWebAddress,
} from '../../values/vendor-words.ts';
import { rockylinuxList } from './rockylinux-list.ts';
import {
  type Advisory,
  type AdvisoryPackage,
  type AdvisoryRead,
  listPackages,
  toAdvisoryPage,
  toSourceAdvisory,
} from './rockylinux-record.ts';

type ValidRead = Extract<AdvisoryRead, { advisory: Advisory }>;

export function toRockylinuxEntries(read: ValidRead): Entry[] {
  return [...read.releases].map(([release, products]) =>
    toEntry(release, products, listPackages(release, read), read.advisory),
  );
}

function toEntry(
  release: string,
  products: readonly string[],
  packages: readonly AdvisoryPackage[],
  advisory: Advisory,
): Entry {
  const { id, synopsis: title } = advisory;
  const updated = vendorDate(advisory.updated_at);
  const rows = toPackageRows(packages);
  const cves = advisory.cves.map(({ cve }) => cve);
  const words = { severity: advisory.severity, type: advisory.kind, status: null };
  const source = toSourceAdvisory(id);
  return entry(
    rockylinuxList,
    toErratumKey(release, id),
    {
      title,
      releaseDate: vendorDate(advisory.published_at) ?? updated,
      bulletinId: id,
      severity: toSeverity(advisory.severity),
      binaryPkgName: listBinaryPackageNames(
        title,
        rows.filter((row) => !isSourcePackage(row)),
      ),
      category: toErrataCategory(advisory.kind, id),
      osVersion: [...products],
    },
    {
      updatedDate: updated,
      description: advisory.description ?? advisory.topic ?? null,
      ...noSuggestions,
      ...toVendorWordFacts(words),
      referenceLink: toAdvisoryPage(id),
      cve: findCveIds(cves),
      upstreamAdvisories: source === null ? [] : [source],
      packages: rows,
      modules: removeDuplicates(packages.flatMap(toModuleRows)),
      references: removeDuplicates([
        ...(source === null ? [] : [toRedHatReference(source)]),
        ...advisory.cves.map(({ cve }) => ({ name: cve, type: 'cve', title: null, address: null })),
        ...advisory.fixes.map((fix) => ({
          name: fix.ticket_id ?? fix.source,
          type: isBugzilla(fix.source) ? 'bugzilla' : 'fix',
          title: fix.description,
          address: toWebAddress(fix.source),
        })),
      ]).filter(({ name }) => name !== null),
      vulnerabilities: removeDuplicates(
        advisory.cves.flatMap(({ cve: written, cvss3_base_score, cvss3_scoring_vector, cwe }) =>
          findCveIds([written]).map((cve) => ({
            cve,
            score: cvss3_base_score,
            vector: cvss3_scoring_vector,
            weakness: cwe,
          })),
        ),
      ),
    },
    [...findUnknownErrataWords(words), ...findUnknownCves(cves, true)],
  );
}

/** Adds remarks on the dates and packages that cannot be read. */
export function* remarkOnAdvisory({
  id,
  published_at,
  updated_at,
  packages,
}: Advisory): Generator<Remark> {
  yield* remarkOnDates(id, { published_at, updated_at });
  const unread = distinctWords(packages.map(({ file, nevra }) => (file === null ? nevra : null)));
  yield* remarkOnUnreadPackages(id, unread);
}

/**
 * Merges the rows of a package: Apollo repeats it for each product and repository, and states checksum, module and repository in some only.
 */
function toPackageRows(packages: readonly AdvisoryPackage[]) {
  const files = packages.flatMap(({ file }) => (file === null ? [] : [file]));
  const sources = removeDuplicates(files.filter(isSourcePackage));
  const byNevra = Map.groupBy(
    packages.flatMap((row) => (row.file === null ? [] : [{ ...row, file: row.file }])),
    ({ file }) => formatNevra(file),
  );
  return [...byNevra.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const { file } = first;
    const { checksum, checksum_type } = rows.find((row) => row.checksum !== null) ?? first;
    return {
      name: file.name,
      version: formatRpmVersion(file.epoch, file.version, file.release),
      architecture: file.architecture,
      sourcePackage: isSourcePackage(file) ? null : findSourceFileName(file, sources),
      module: rows.map(formatModuleName).find((module) => module !== null) ?? null,
      ...noSuggestions,
      checksum,
      checksumType: toChecksumType(checksum_type, checksum),
      repositories: distinctWords(rows.map(({ repo_name }) => repo_name)),
    };
  });
}

function formatNevra({ name, epoch, version, release, architecture }: RpmFileName): string {
  return `${name}-${epoch ?? '0'}:${version}-${release}.${architecture}`;
}

/** Returns name:stream:version:context without missing parts at the end. */
function formatModuleName({
  module_name,
  module_stream,
  module_version,
  module_context,
}: AdvisoryPackage): string | null {
  return (
    module_name &&
    [module_name, module_stream, module_version, module_context]
      .map((part) => part ?? '')
      .join(':')
      .replace(/:+$/, '')
  );
}

function toModuleRows({
  module_name,
  module_stream,
  module_version,
  module_context,
}: AdvisoryPackage) {
  if (module_name === null) return [];
  return [
    {
      name: module_name,
      stream: module_stream,
      version: module_version,
      context: module_context,
      architecture: null,
    },
  ];
}

function isBugzilla(address: string | null): boolean {
  return /^https?:\/\/bugzilla\./i.test(address ?? '');
}
