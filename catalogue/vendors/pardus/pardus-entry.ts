/** Entries for the source packages of Pardus: one row for all binary packages built from one version of a source package. */
import { type Entry, entry } from '../../definition/feed.ts';
import type { BuiltTogether } from '../../schemas/dpkg-source-packages.ts';
import type { CarriedAdvisory } from './pardus-debian-base.ts';
import { pardusList } from './pardus-list.ts';
import type { PardusSuite } from './pardus-suites.ts';

/** Versions say nothing of the suite they are in: suite, source and version name a row together. */
export function pardusEntry(
  { key, osVersion }: PardusSuite,
  packages: BuiltTogether,
  carried: CarriedAdvisory | null,
): Entry {
  const { source, sourceVersion } = packages[0];
  const main = packages.find(({ name }) => name === source) ?? packages[0];
  const advisory = carried?.advisory;
  return entry(
    pardusList,
    `${key}|${source}|${sourceVersion}`,
    {
      title: advisory?.title ?? main.synopsis ?? source,
      pkgName: source,
      osVersion,
      bulletinId: advisory?.id ?? null,
      priority: carried?.urgency.priority ?? null,
      pkgAndVersion: `${source} ${sourceVersion}`,
      releaseDate: advisory?.day ?? null,
    },
    {
      description: main.description,
      vendorPriority: carried?.urgency.vendorPriority ?? null,
      referenceLink:
        advisory === undefined
          ? null
          : `https://security-tracker.debian.org/tracker/${advisory.id}`,
      cve: [...(advisory?.cves ?? [])],
      packages: packages.map(({ name, version, architecture, sha256 }) => ({
        name,
        version,
        architecture,
        checksum: sha256,
      })),
    },
    carried?.urgency.unknownWords,
  );
}
