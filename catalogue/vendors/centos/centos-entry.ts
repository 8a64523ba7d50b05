/** Maps an erratum of CentOS Linux to rows and details of its list, one for each release. */
import { type Entry, entry, type Remark } from '../../definition/feed.ts';
import {
  findRedHatAdvisories,
  findUnknownErrataWords,
  formatRpmVersion,
  listBinaryPackageNames,
  toErrataCategory,
  toErratumKey,
  toRedHatReference,
  toVendorWordFacts,
} from '../../schemas/errata-values.ts';
import { createForeignBuildRemark } from '../../schemas/foreign-builds.ts';
import {
  findSourceFileName,
  isSourcePackage,
  parseEnterpriseLinuxRelease,
  remarkOnUnreadPackages,
} from '../../schemas/rpm-file-name.ts';
import { toSeverity } from '../../schemas/severities.ts';
import { noSuggestions, readSuggestions } from '../../values/errata-suggestions.ts';
import { remarkOnDates } from '../../values/vendor-dates.ts';
import { findCveIds, findUnknownCves, toWebAddress } from '../../values/vendor-words.ts';
import type { Erratum, ReleaseErratum } from './cefs-record.ts';
import { centosList } from './centos-list.ts';

export function toCentosEntry(erratum: ReleaseErratum): Entry {
  const { id, release, title, references } = erratum;
  const packages = toPackageRows(erratum);
  const words = { severity: erratum.severity, type: erratum.type, status: null };
  return entry(
    centosList,
    toErratumKey(release, id),
    {
      title,
      releaseDate: erratum.issued,
      bulletinId: id,
      severity: toSeverity(erratum.severity),
      binaryPkgName: listBinaryPackageNames(
        title,
        packages.filter((row) => !isSourcePackage(row)),
      ),
      category: toErrataCategory(erratum.type, id),
      osVersion: [`CentOS ${release}`],
    },
    {
      updatedDate: null,
      description: erratum.description,
      ...readSuggestions((name) => (erratum.keywords.includes(name) ? true : null)),
      ...toVendorWordFacts(words),
      referenceLink: findAdvisoryPage(references),
      cve: findCveIds(references),
      upstreamAdvisories: findRedHatAdvisories(references),
      packages,
      modules: [],
      references: references.map(toReferenceRow),
    },
    [...findUnknownErrataWords(words), ...findUnknownCves(references)],
  );
}

/** Adds remarks on the date and the packages that cannot be read. */
export function* remarkOnErratum(erratum: Erratum): Generator<Remark> {
  const { id, issueDate, unread, releases, packages } = erratum;
  yield* remarkOnDates(id, { issue_date: issueDate });
  yield* remarkOnUnreadPackages(id, unread);
  const foreign = packages.filter(({ release }) => {
    const builtFor = parseEnterpriseLinuxRelease(release);
    return builtFor !== null && !releases.includes(builtFor);
  });
  if (foreign.length > 0)
    yield createForeignBuildRemark(
      id,
      foreign,
      releases.map((release) => `el${release}`),
    );
}

function toPackageRows({ packages: files }: ReleaseErratum) {
  const sources = files.filter(isSourcePackage);
  const rows = files.map((file) => ({
    name: file.name,
    version: formatRpmVersion(file.epoch, file.version, file.release),
    architecture: file.architecture,
    sourcePackage: isSourcePackage(file) ? null : findSourceFileName(file, sources),
    module: null,
    ...noSuggestions,
    checksum: null,
    checksumType: null,
  }));
  return [
    ...new Map(rows.map((row) => [`${row.name} ${row.version} ${row.architecture}`, row])).values(),
  ];
}

/** Returns the page of the upstream advisory, else of the announcement. */
function findAdvisoryPage(references: readonly string[]): string | null {
  const pages = references.flatMap((reference) => toWebAddress(reference) ?? []);
  return (
    pages.find((page) => /\/errata\//i.test(page)) ??
    pages.find((page) => /centos-announce/i.test(page)) ??
    pages[0] ??
    null
  );
}

function toReferenceRow(reference: string) {
  const address = toWebAddress(reference);
  // https://access.redhat.com/security/cve/CVE-2013-2140
  const cves = findCveIds([reference]);
  if (cves.length > 0) return { name: cves.join(', '), type: 'cve', title: null, address };
  const [upstream] = findRedHatAdvisories([reference]);
  return upstream === undefined
    ? { name: getLastSegment(reference), type: null, title: null, address }
    : toRedHatReference(upstream, address);
}

function getLastSegment(address: string): string {
  return (
    address
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1)
      ?.replace(/\.html?$/, '') || address
  );
}
