/** What the list shows of a binary package of Ubuntu's archive. */
import { type Entry, entry } from '../../definition/feed.ts';
import type { BinaryPackage } from '../../parsers/dpkg-packages.ts';
import { webAddressOf } from '../../values/vendor-words.ts';
import { type CvePriorities, highestPriority } from './ubuntu-cve-priorities.ts';
import { type VersionsOfNotices, versionKey } from './ubuntu-fixing-notices.ts';
import { type packagingPriorities, ubuntuPackageList } from './ubuntu-package-list.ts';

export interface PackagePlace {
  readonly codename: string;
  readonly archive: string;
  readonly suite: string;
  readonly component: string;
  /** When all packages of the suite were frozen; null where they change. */
  readonly frozen: number | null;
}

/** An index lists several versions of a package at times, so the version is a part of what names it. */
export function ubuntuPackageEntry(
  place: PackagePlace,
  of: BinaryPackage,
  notices: VersionsOfNotices['notices'],
  priorities: CvePriorities,
): Entry {
  const { codename, archive, suite, component, frozen } = place;
  // A kernel is signed in a source package of its own, which no notice names: its binary packages are named.
  const fixing =
    notices.get(versionKey(codename, 'source', of.source, of.sourceVersion)) ??
    notices.get(versionKey(codename, 'binary', of.name, of.version));
  const { priority: urgency, unknownWords } = highestPriority(fixing?.cves ?? [], priorities);
  const first = fixing?.first ?? null;
  const patchId = [suite, component, of.name, of.version, of.architecture].join('|');
  return entry(
    ubuntuPackageList,
    patchId,
    {
      patchId,
      title: of.synopsis ?? of.name,
      sourcePkgName: of.source,
      sourcePkgVersion: of.sourceVersion,
      binaryPkgName: of.name,
      binaryPkgVersion: of.version,
      releaseDate: fixing?.published ?? frozen,
      distribution: suite,
      urgency,
      // Another word of the vendor's is shown as it is, and reported.
      priority: of.priority as (typeof packagingPriorities)[number] | null,
      arch: of.architecture,
      phasedUpdate: of.phased,
    },
    {
      releaseDateFrom:
        first !== null ? `Notice ${first}` : frozen === null ? null : `Release file of ${suite}`,
      component,
      section: of.section,
      size: of.size,
      downloadUrl: of.filename === null ? null : webAddressOf(`${archive}/${of.filename}`),
      checksum: of.sha256,
      description: of.description,
      notices: [...(fixing?.notices ?? [])],
      cve: [...(fixing?.cves ?? [])],
    },
    unknownWords,
  );
}
