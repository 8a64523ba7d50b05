/** Maps an advisory of AlmaLinux to a row and detail of its list. */
import { type Entry, entry } from '../../definition/feed.ts';
import {
  formatRpmVersion,
  listBinaryPackageNames,
  toChecksumType,
  toErrataCategory,
} from '../../schemas/errata-values.ts';
import { findUnknownErrataWords, toVendorWordFacts } from '../../schemas/errata-words.ts';
import { findRedHatAdvisories } from '../../schemas/red-hat-advisories.ts';
import { toSeverity } from '../../schemas/severities.ts';
import { anySuggestions } from '../../values/errata-suggestions.ts';
import { distinctWords, toCveId, toWebAddress } from '../../values/vendor-words.ts';
import { almalinuxList } from './almalinux-list.ts';
import type { Advisory } from './almalinux-record.ts';

/** An advisory for two releases is two rows. */
export function toErrataKey(release: string, id: string): string {
  return `${release}:${id}`;
}

export function toErrataEntry(release: string, advisory: Advisory): Entry {
  const { id } = advisory;
  const packages = removeDuplicates(advisory.packages.map(toPackageRow));
  return entry(
    almalinuxList,
    toErrataKey(release, id),
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
      cve: distinctWords(
        advisory.references.map((reference) =>
          isCve(reference.type) ? toCveId(reference.id) : null,
        ),
      ),
      upstreamAdvisories: findRedHatAdvisories(
        advisory.references.flatMap((reference) => [reference.id, reference.href]),
      ),
      packages,
      modules: removeDuplicates(
        advisory.modules.map(({ name, stream, version, context, arch }) => ({
          name,
          stream,
          version,
          context,
          architecture: arch,
        })),
      ),
      references: removeDuplicates(
        advisory.references.map(({ id: name, type, title, href }) => ({
          name,
          type,
          title,
          address: toWebAddress(href),
        })),
      ),
    },
    findUnknownErrataWords(advisory),
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

function isCve(type: string | null): boolean {
  return type?.toLowerCase() === 'cve';
}

/** The vendor repeats a package for each repository that contains it. */
function removeDuplicates<Row extends object>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(Object.values(row)), row])).values()];
}
