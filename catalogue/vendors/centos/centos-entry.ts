/** What the list shows of an erratum of CentOS Linux: an entry for each release. */
import { type Entry, entry, type Remark } from '../../definition/feed.ts';
import { binaryPackageNames, errataCategoryOf, rpmVersion } from '../../schemas/errata-values.ts';
import { unknownErrataWords, vendorWordFacts } from '../../schemas/errata-words.ts';
import { foreignBuildRemark } from '../../schemas/foreign-builds.ts';
import { redHatAdvisories, redHatReference } from '../../schemas/red-hat-advisories.ts';
import {
  enterpriseLinuxRelease,
  isSourcePackage,
  sourceFileName,
} from '../../schemas/rpm-file-name.ts';
import { severityOf } from '../../schemas/severities.ts';
import { noSuggestions, suggestionsOf } from '../../values/errata-suggestions.ts';
import { cveIdOf, distinctWords, webAddressOf } from '../../values/vendor-words.ts';
import type { Erratum, ReleaseErratum } from './cefs-record.ts';
import { centosList } from './centos-list.ts';

/** An erratum may be for several releases. */
export function erratumKey(release: string, id: string): string {
  return `${release}:${id}`;
}

export function centosEntry(erratum: ReleaseErratum): Entry {
  const { id, release, title, references } = erratum;
  const packages = packageRows(erratum);
  const words = { severity: erratum.severity, type: erratum.type, status: null };
  return entry(
    centosList,
    erratumKey(release, id),
    {
      title,
      releaseDate: erratum.issued,
      bulletinId: id,
      severity: severityOf(erratum.severity),
      binaryPkgName: binaryPackageNames(
        title,
        packages.filter((row) => !isSourcePackage(row)),
      ),
      category: errataCategoryOf(erratum.type, id),
      osVersion: [`CentOS ${release}`],
    },
    {
      updatedDate: null,
      description: erratum.description,
      ...suggestionsOf((name) => (erratum.keywords.includes(name) ? true : null)),
      ...vendorWordFacts(words),
      referenceLink: advisoryPage(references),
      cve: distinctWords(references.map(cveOfPage)),
      upstreamAdvisories: redHatAdvisories(references),
      packages,
      modules: [],
      references: references.map(referenceRow),
    },
    unknownErrataWords(words),
  );
}

/** A word on the date and on the packages that are there and cannot be read. */
export function* centosRemarks(erratum: Erratum): Generator<Remark> {
  const { id, issued, issueDate, unread, releases, packages } = erratum;
  if (issued === null && issueDate !== null)
    yield {
      kind: 'remark',
      remark: `${id}: issue_date "${issueDate}" is not a date that can be read`,
    };
  if (unread.length > 0) {
    const others = unread.length > 1 ? ` and ${unread.length - 1} more` : '';
    yield {
      kind: 'remark',
      remark: `${id}: "${unread[0]}"${others} is not the name, version, release and architecture of a package; left out`,
    };
  }
  const foreign = packages.filter(({ release }) => {
    const builtFor = enterpriseLinuxRelease(release);
    return builtFor !== null && !releases.includes(builtFor);
  });
  if (foreign.length > 0)
    yield foreignBuildRemark(
      id,
      foreign,
      releases.map((of) => `el${of}`),
    );
}

function packageRows({ packages: files }: ReleaseErratum) {
  const sources = files.filter(isSourcePackage);
  const rows = files.map((file) => ({
    name: file.name,
    version: rpmVersion(file.epoch, file.version, file.release),
    architecture: file.architecture,
    sourcePackage: isSourcePackage(file) ? null : sourceFileName(file, sources),
    module: null,
    ...noSuggestions,
    checksum: null,
    checksumType: null,
  }));
  return [
    ...new Map(rows.map((row) => [`${row.name} ${row.version} ${row.architecture}`, row])).values(),
  ];
}

/** The page of the advisory that the erratum was rebuilt from, or its announcement. */
function advisoryPage(references: readonly string[]): string | null {
  const pages = references.flatMap((reference) => webAddressOf(reference) ?? []);
  return (
    pages.find((page) => /\/errata\//i.test(page)) ??
    pages.find((page) => /centos-announce/i.test(page)) ??
    pages[0] ??
    null
  );
}

/** https://access.redhat.com/security/cve/CVE-2013-2140 */
function cveOfPage(address: string): string | null {
  return cveIdOf(/CVE-\d+-\d+/i.exec(address)?.[0]);
}

function referenceRow(reference: string) {
  const address = webAddressOf(reference);
  const cve = cveOfPage(reference);
  if (cve !== null) return { name: cve, type: 'cve', title: null, address };
  const [upstream] = redHatAdvisories([reference]);
  return upstream === undefined
    ? { name: lastStep(reference), type: null, title: null, address }
    : redHatReference(upstream, address);
}

function lastStep(address: string): string {
  return (
    address
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1)
      ?.replace(/\.html?$/, '') || address
  );
}
