/** Reads a record's fixes for one release from its row and its detail. */
import type { CataloguedRelease } from './catalogued-release.ts';
import type { PackageFix, PackageRecord } from './machine-fixes.ts';
import { rowsIn, type StoredRecord, type StoredValues, wordIn } from './stored-values.ts';

/** Returns null for a record of other releases only, and for one without a package version. */
export function packageRecord(
  { key, row, detail }: StoredRecord,
  release: CataloguedRelease,
): PackageRecord | null {
  const notice = rowsIn(detail, 'releasePackages');
  const fixes =
    notice.length > 0
      ? noticeFixes(notice, release)
      : isForRelease(row, release)
        ? advisoryFixes(row, detail)
        : [];
  if (fixes.length === 0) return null;
  return { key, fixes, retracted: isRetracted(detail), livepatch: isLivepatch(row) };
}

export const isRetracted = (detail: StoredValues): boolean =>
  wordIn(detail, 'status') === 'retracted';

export const isLivepatch = (row: StoredValues): boolean => wordIn(row, 'type') === 'LSN';

/** Returns the releases as the record writes them. */
export function readReleases(row: StoredValues): readonly string[] {
  const written = row['osVersion'];
  const releases: readonly unknown[] = Array.isArray(written) ? written : [written];
  return releases.filter((one) => typeof one === 'string');
}

const isForRelease = (row: StoredValues, { names }: CataloguedRelease): boolean =>
  readReleases(row).some((one) => names.includes(one));

/** Ubuntu's notices are for several releases, whose names may end with a support tag: Ubuntu 14.04 LTS. */
function noticeFixes(rows: readonly StoredValues[], { names }: CataloguedRelease): PackageFix[] {
  return rows
    .filter((row) => {
      const written = wordIn(row, 'osVersion');
      return names.some((name) => written === name || written?.startsWith(`${name} `) === true);
    })
    .flatMap(noticeFix);
}

/** Reads one row of a notice, for the release of that row. */
export const noticeFix = (row: StoredValues): PackageFix[] =>
  toFixes(row, row['is_source'] === true ? 'source' : 'binary');

/**
 * Errata of RPM distributions list binary packages; advisories of Debian and Pardus list a source package, and its binary
 * packages when known.
 */
export function advisoryFixes(row: StoredValues, detail: StoredValues): PackageFix[] {
  const binaries = rowsIn(detail, 'packages').flatMap((one) => toFixes(one, 'binary'));
  const [name, written] = [wordIn(row, 'pkgName'), wordIn(row, 'pkgAndVersion')];
  if (name === null || written?.startsWith(`${name} `) !== true) return binaries;
  return [...toFixes({ name, version: written.slice(name.length + 1) }, 'source'), ...binaries];
}

function toFixes(row: StoredValues, by: PackageFix['by']): PackageFix[] {
  const [name, version] = [wordIn(row, 'name'), wordIn(row, 'version')];
  if (name === null || version === null) return [];
  return [
    {
      by,
      name,
      version,
      architecture: wordIn(row, 'architecture'),
      module: wordIn(row, 'module'),
      pocket: wordIn(row, 'pocket'),
    },
  ];
}
