/** Maps a binary package of Ubuntu's archive to a row and detail. */
import { type Entry, entry } from '../../definition/feed.ts';
import type { BinaryPackage } from '../../parsers/dpkg-packages.ts';
import { toWebAddress } from '../../values/vendor-words.ts';
import { type CvePriorities, findHighestPriority } from './ubuntu-cve-priorities.ts';
import { type NoticesByVersion, toVersionKey } from './ubuntu-fixing-notices.ts';
import { type packagingPriorities, ubuntuPackageList } from './ubuntu-package-list.ts';

export interface PackageLocation {
  readonly codename: string;
  readonly archive: string;
  readonly suite: string;
  readonly component: string;
  /** When all packages of the suite were frozen, epoch milliseconds; null while they change. */
  readonly frozen: number | null;
}

/** The natural key contains the version, because an index sometimes lists several versions of a package. */
export function toUbuntuPackageEntry(
  location: PackageLocation,
  binaryPackage: BinaryPackage,
  notices: NoticesByVersion['notices'],
  priorities: CvePriorities,
): Entry {
  const { codename, archive, suite, component, frozen } = location;
  // Signed kernels have a source package of their own, which no notice names; notices name its binary packages.
  const fixing =
    notices.get(
      toVersionKey(codename, 'source', binaryPackage.source, binaryPackage.sourceVersion),
    ) ?? notices.get(toVersionKey(codename, 'binary', binaryPackage.name, binaryPackage.version));
  const { priority: urgency, unknownWords } = findHighestPriority(fixing?.cves ?? [], priorities);
  const first = fixing?.first ?? null;
  const patchId = [
    suite,
    component,
    binaryPackage.name,
    binaryPackage.version,
    binaryPackage.architecture,
  ].join('|');
  return entry(
    ubuntuPackageList,
    patchId,
    {
      patchId,
      title: binaryPackage.synopsis ?? binaryPackage.name,
      sourcePkgName: binaryPackage.source,
      sourcePkgVersion: binaryPackage.sourceVersion,
      binaryPkgName: binaryPackage.name,
      binaryPkgVersion: binaryPackage.version,
      releaseDate: fixing?.published ?? frozen,
      distribution: suite,
      urgency,
      // Unknown words are shown as written and reported.
      priority: binaryPackage.priority as (typeof packagingPriorities)[number] | null,
      arch: binaryPackage.architecture,
      phasedUpdate: binaryPackage.phased,
    },
    {
      releaseDateFrom:
        first !== null ? `Notice ${first}` : frozen === null ? null : `Release file of ${suite}`,
      component,
      section: binaryPackage.section,
      size: binaryPackage.size,
      downloadUrl:
        binaryPackage.filename === null
          ? null
          : toWebAddress(`${archive}/${binaryPackage.filename}`),
      checksum: binaryPackage.sha256,
      description: binaryPackage.description,
      notices: [...(fixing?.notices ?? [])],
      cve: [...(fixing?.cves ?? [])],
    },
    unknownWords,
  );
}
