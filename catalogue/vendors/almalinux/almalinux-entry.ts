/** What the list shows of an advisory of AlmaLinux. */
import { type Entry, entry, type Remark } from '../../definition/feed.ts';
import {
  binaryPackageNames,
  checksumTypeOf,
  errataCategoryOf,
  rpmVersion,
} from '../../schemas/errata-values.ts';
import { unknownErrataWords, vendorWordFacts } from '../../schemas/errata-words.ts';
import { redHatAdvisories } from '../../schemas/red-hat-advisories.ts';
import { severityOf } from '../../schemas/severities.ts';
import { anySuggestions } from '../../values/errata-suggestions.ts';
import { cveIdOf, distinctWords, webAddressOf } from '../../values/vendor-words.ts';
import { almalinuxList } from './almalinux-list.ts';
import type { Advisory } from './almalinux-record.ts';

/** An advisory counts for one release: the same id in two releases is two rows. */
export function errataKey(release: string, id: string): string {
  return `${release}:${id}`;
}

export function almalinuxEntry(release: string, advisory: Advisory): Entry {
  const { id } = advisory;
  const packages = distinctRows(advisory.packages.map(packageRow));
  return entry(
    almalinuxList,
    errataKey(release, id),
    {
      title: advisory.title,
      releaseDate: advisory.issued.time ?? advisory.updated.time,
      bulletinId: id,
      severity: severityOf(advisory.severity),
      binaryPkgName: binaryPackageNames(advisory.title, packages),
      category: errataCategoryOf(advisory.type, id),
      osVersion: [`AlmaLinux ${release}`],
    },
    {
      updatedDate: advisory.updated.time,
      description: advisory.description,
      ...anySuggestions(packages),
      ...vendorWordFacts(advisory),
      referenceLink: `https://errata.almalinux.org/${release}/${id.replaceAll(':', '-')}.html`,
      cve: distinctWords(
        advisory.references.map((reference) =>
          isCve(reference.type) ? cveIdOf(reference.id) : null,
        ),
      ),
      upstreamAdvisories: redHatAdvisories(
        advisory.references.flatMap((reference) => [reference.id, reference.href]),
      ),
      packages,
      modules: distinctRows(
        advisory.modules.map(({ name, stream, version, context, arch }) => ({
          name,
          stream,
          version,
          context,
          architecture: arch,
        })),
      ),
      references: distinctRows(
        advisory.references.map(({ id: name, type, title, href }) => ({
          name,
          type,
          title,
          address: webAddressOf(href),
        })),
      ),
    },
    unknownErrataWords(advisory),
  );
}

/** A word on each date that is there and cannot be read. */
export function* almalinuxRemarks(
  release: string,
  { id, issued, updated }: Advisory,
): Generator<Remark> {
  for (const [field, { time, written }] of Object.entries({
    issued_date: issued,
    updated_date: updated,
  })) {
    if (time === null && written !== null)
      yield {
        kind: 'remark',
        remark: `AlmaLinux ${release}, ${id}: ${field} "${written}" is not a date that can be read`,
      };
  }
}

/** The file name is not used: it comes with a folder before it at times, the fields do not. */
function packageRow(of: Advisory['packages'][number]) {
  return {
    name: of.name,
    version: rpmVersion(of.epoch, of.version, of.release),
    architecture: of.arch,
    sourcePackage: of.src,
    module: of.module,
    rebootSuggested: of.rebootSuggested,
    restartSuggested: of.restartSuggested,
    reloginSuggested: of.reloginSuggested,
    checksum: of.checksum,
    checksumType: checksumTypeOf(of.checksumType, of.checksum),
  };
}

function isCve(type: string | null): boolean {
  return type?.toLowerCase() === 'cve';
}

/** The vendor repeats a package once for each repository it lies in. */
function distinctRows<Row extends object>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(Object.values(row)), row])).values()];
}
