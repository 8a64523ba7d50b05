/** What the list shows of an advisory of Rocky Linux: an entry for each major release. */
import { type Entry, entry, type Remark } from '../../definition/feed.ts';
import {
  binaryPackageNames,
  checksumTypeOf,
  errataCategoryOf,
  rpmVersion,
} from '../../schemas/errata-values.ts';
import { unknownErrataWords, vendorWordFacts } from '../../schemas/errata-words.ts';
import { redHatReference } from '../../schemas/red-hat-advisories.ts';
import { isSourcePackage, type RpmFileName, sourceFileName } from '../../schemas/rpm-file-name.ts';
import { severityOf } from '../../schemas/severities.ts';
import { noSuggestions } from '../../values/errata-suggestions.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { cveIdOf, distinctWords, webAddressOf, wordOf } from '../../values/vendor-words.ts';
import { rockylinuxList } from './rockylinux-list.ts';
import {
  type Advisory,
  type AdvisoryPackage,
  type AdvisoryRead,
  advisoryKey,
  advisoryPage,
  packagesFor,
  sourceAdvisory,
} from './rockylinux-record.ts';

type Understood = Extract<AdvisoryRead, { advisory: Advisory }>;

export function rockylinuxEntries(read: Understood): Entry[] {
  return [...read.releases].map(([release, products]) =>
    entryOf(release, products, packagesFor(release, read), read.advisory),
  );
}

function entryOf(
  release: string,
  products: readonly string[],
  packages: readonly AdvisoryPackage[],
  advisory: Advisory,
): Entry {
  const { id, synopsis: title } = advisory;
  const updated = vendorDate(advisory.updated_at);
  const rows = packageRows(packages);
  const words = { severity: advisory.severity, type: advisory.kind, status: null };
  const source = sourceAdvisory(id);
  return entry(
    rockylinuxList,
    advisoryKey(release, id),
    {
      title,
      releaseDate: vendorDate(advisory.published_at) ?? updated,
      bulletinId: id,
      severity: severityOf(advisory.severity),
      binaryPkgName: binaryPackageNames(
        title,
        rows.filter((row) => !isSourcePackage(row)),
      ),
      category: errataCategoryOf(advisory.kind, id),
      osVersion: [...products],
    },
    {
      updatedDate: updated,
      description: advisory.description ?? advisory.topic ?? null,
      ...noSuggestions,
      ...vendorWordFacts(words),
      referenceLink: advisoryPage(id),
      cve: distinctWords(advisory.cves.map(({ cve }) => cveIdOf(cve))),
      upstreamAdvisories: source === null ? [] : [source],
      packages: rows,
      modules: distinctRows(packages.flatMap(moduleRow)),
      references: distinctRows([
        ...(source === null ? [] : [redHatReference(source)]),
        ...advisory.cves.map(({ cve }) => ({ name: cve, type: 'cve', title: null, address: null })),
        ...advisory.fixes.map((fix) => ({
          name: fix.ticket_id ?? fix.source,
          type: isBugzilla(fix.source) ? 'bugzilla' : 'fix',
          title: fix.description,
          address: webAddressOf(fix.source),
        })),
      ]).filter(({ name }) => name !== null),
      vulnerabilities: distinctRows(
        advisory.cves.map(({ cve, cvss3_base_score, cvss3_scoring_vector, cwe }) => ({
          cve,
          score: cvss3_base_score,
          vector: cvss3_scoring_vector,
          weakness: cwe,
        })),
      ).filter(({ cve }) => cve !== null),
    },
    unknownErrataWords(words),
  );
}

/** A word on each date and on the packages that are there and cannot be read. */
export function* rockylinuxRemarks({
  id,
  published_at,
  updated_at,
  packages,
}: Advisory): Generator<Remark> {
  for (const [field, written] of Object.entries({ published_at, updated_at })) {
    if (wordOf(written) !== null && vendorDate(written) === null)
      yield {
        kind: 'remark',
        remark: `${id}: ${field} "${wordOf(written)}" is not a date that can be read`,
      };
  }
  const unread = distinctWords(packages.map(({ file, nevra }) => (file === null ? nevra : null)));
  if (unread.length > 0) {
    const others = unread.length > 1 ? ` and ${unread.length - 1} more` : '';
    yield {
      kind: 'remark',
      remark: `${id}: "${unread[0]}"${others} is not the name, version, release and architecture of a package; left out`,
    };
  }
}

/** Each package once: Apollo repeats it for every product and repository, and knows its checksum, module and repository for some of them only. */
function packageRows(packages: readonly AdvisoryPackage[]) {
  const files = packages.flatMap(({ file }) => (file === null ? [] : [file]));
  const sources = distinctRows(files.filter(isSourcePackage));
  const byNevra = Map.groupBy(
    packages.flatMap((of) => (of.file === null ? [] : [{ ...of, file: of.file }])),
    ({ file }) => nevraOf(file),
  );
  return [...byNevra.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { file } = first;
    const { checksum, checksum_type } = same.find((of) => of.checksum !== null) ?? first;
    return {
      name: file.name,
      version: rpmVersion(file.epoch, file.version, file.release),
      architecture: file.architecture,
      sourcePackage: isSourcePackage(file) ? null : sourceFileName(file, sources),
      module: same.map(moduleName).find((module) => module !== null) ?? null,
      ...noSuggestions,
      checksum,
      checksumType: checksumTypeOf(checksum_type, checksum),
      repositories: distinctWords(same.map(({ repo_name }) => repo_name)),
    };
  });
}

function nevraOf({ name, epoch, version, release, architecture }: RpmFileName): string {
  return `${name}-${epoch ?? '0'}:${version}-${release}.${architecture}`;
}

/** name:stream:version:context, without what is missing at its end. */
function moduleName({
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

function moduleRow({
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

function distinctRows<Row extends object>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(Object.values(row)), row])).values()];
}
