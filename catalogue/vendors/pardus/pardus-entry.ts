/** Maps the binary packages of one version of a Pardus source package to a row and detail. */
import { type Entry, entry } from '../../definition/feed.ts';
import type { SourceBuild } from '../../schemas/dpkg-source-packages.ts';
import type { IncludedAdvisory } from './pardus-debian-base.ts';
import { pardusList } from './pardus-list.ts';
import type { PardusSuite } from './pardus-suites.ts';

/** Versions do not state their suite: suite, source and version together are the natural key. */
export function toPardusEntry(
  { key, osVersion }: PardusSuite,
  packages: SourceBuild,
  included: IncludedAdvisory | null,
): Entry {
  const { source, sourceVersion } = packages[0];
  const main = packages.find(({ name }) => name === source) ?? packages[0];
  const advisory = included?.advisory;
  return entry(
    pardusList,
    `${key}|${source}|${sourceVersion}`,
    {
      title: advisory?.title ?? main.synopsis ?? source,
      pkgName: source,
      osVersion,
      bulletinId: advisory?.id ?? null,
      priority: included?.urgency.priority ?? null,
      pkgAndVersion: `${source} ${sourceVersion}`,
      releaseDate: advisory?.day ?? null,
    },
    {
      description: main.description,
      vendorPriority: included?.urgency.vendorPriority ?? null,
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
    included?.urgency.unknownWords,
  );
}
