/**
 * Indexes a record's fixes by name and version: by release, in series within which versions are compared by their sort keys.
 * Fixes that no machine can miss are omitted. See docs/decisions/055.
 */
import {
  toDpkgSortKey,
  toRpmSortKey,
  type VersionSortKey,
} from '../../schemas/version-sort-key.ts';
import { type CataloguedRelease, writtenRelease } from './catalogued-release.ts';
import { isForEveryone } from './deb-judgement.ts';
import { kernelStem } from './kernel-stem.ts';
import type { PackageFix } from './machine-fixes.ts';
import {
  advisoryFixes,
  isLivepatch,
  isRetracted,
  noticeFix,
  readReleases,
} from './package-record.ts';
import { isSourceArchitecture, moduleOfFix } from './rpm-judgement.ts';
import { rowsIn, type StoredRecord, type StoredValues, wordIn } from './stored-values.ts';

/** Records that are reported as not judged wherever they list an installed package, whatever its version. */
export type SpecialRecord = 'retracted' | 'livepatch';

/** Fixes whose versions can be ordered by their sort keys alone. */
export interface FixSeries {
  /** Name of the package; the stem of its name where a newer package has another name. */
  readonly name: string;
  readonly by: PackageFix['by'];
  /** Sort key of the epoch. */
  readonly epoch: string;
  /** Null for records that are judged by versions. */
  readonly special: SpecialRecord | null;
}

export interface IndexedFix {
  readonly series: FixSeries;
  /** Sorts after the keys of older versions in the series. */
  readonly sortKey: string;
  readonly fix: PackageFix;
}

export interface ReleaseFixes {
  /** As in `CataloguedRelease.names`. */
  readonly release: string;
  readonly fixes: readonly IndexedFix[];
}

/** Limit of package names, which file systems set to 255 letters. */
const maxNameLength = 255;
const impossibleName = /\s|\p{Cs}|\p{Cc}/u;
const maxKeyLength = 400;
/** Longer than the epochs of any vendor. */
const maxEpochLength = 40;
/** Sorts after every character of a key. */
const last = '\u007F';

export function indexFixes({ row, detail }: Omit<StoredRecord, 'key'>): readonly ReleaseFixes[] {
  const special = isRetracted(detail) ? 'retracted' : isLivepatch(row) ? 'livepatch' : null;
  return fixesByRelease(row, detail).flatMap(({ release, family, fixes }) => {
    // Only Ubuntu has live patches.
    const own = family === 'rpm' && special === 'livepatch' ? null : special;
    const indexed = fixes
      .filter(({ name }) => name.length <= maxNameLength && !impossibleName.test(name))
      .filter((fix) => own !== null || canBeMissing(fix, family))
      .map((fix) => toIndexedFix(fix, family, own));
    const once = new Map(indexed.map((one) => [getIdentity(one), one]));
    return once.size === 0 ? [] : [{ release, fixes: [...once.values()] }];
  });
}

export interface WrittenFixes {
  readonly release: string;
  readonly family: CataloguedRelease['family'];
  readonly fixes: readonly PackageFix[];
}

export function fixesByRelease(row: StoredValues, detail: StoredValues): readonly WrittenFixes[] {
  const notice = rowsIn(detail, 'releasePackages');
  if (notice.length === 0) {
    const fixes = advisoryFixes(row, detail);
    return [...new Set(readReleases(row))].flatMap((release) => {
      const known = writtenRelease(release);
      return known === null ? [] : [{ release, family: known.family, fixes }];
    });
  }
  const families = new Map<string, CataloguedRelease['family']>();
  const byRelease = Map.groupBy(notice, (one) => {
    const known = writtenRelease(wordIn(one, 'osVersion') ?? '');
    if (known !== null) families.set(known.withoutTag, known.family);
    return known?.withoutTag ?? null;
  });
  return [...families].map(([release, family]) => ({
    release,
    family,
    fixes: (byRelease.get(release) ?? []).flatMap(noticeFix),
  }));
}

export const canBeMissing = (fix: PackageFix, family: CataloguedRelease['family']): boolean =>
  family === 'deb' ? isForEveryone(fix) : !isSourceArchitecture(fix.architecture);

function toIndexedFix(
  fix: PackageFix,
  family: CataloguedRelease['family'],
  special: SpecialRecord | null,
): IndexedFix {
  const byStem = family === 'deb' && (fix.by === 'binary' || special !== null);
  const stem = byStem ? kernelStem(fix.name) : null;
  const { epoch, version } = toSortKey(fix.version, family);
  const name = stem ?? fix.name;
  if (special !== null)
    return { series: { name, by: fix.by, epoch: '', special }, sortKey: last, fix };
  const series = { name, by: fix.by, epoch: cut(epoch, maxEpochLength), special };
  const written = family === 'rpm' ? moduleOfFix(fix) : fix.module;
  const [own = written, stream] = written?.split(':') ?? [];
  const module = stream === undefined ? own : `${own}:${stream}`;
  return { series, sortKey: cut(version, maxKeyLength), fix: { ...fix, module } };
}

/** Cuts a key so that it sorts after every key with the same beginning; the exact comparison decides which is newer. */
const cut = (key: string, length: number): string =>
  key.length <= length ? key : `${key.slice(0, length)}${last}`;

export const toSortKey = (version: string, family: CataloguedRelease['family']): VersionSortKey =>
  family === 'rpm' ? toRpmSortKey(version) : toDpkgSortKey(version);

/** A special record needs only one fix of a series. */
function getIdentity({ series, fix }: IndexedFix): string {
  const { name, by, epoch, special } = series;
  const { version, architecture, module, pocket } = fix;
  const own = special === null ? [fix.name, version, architecture, module, pocket] : [];
  return JSON.stringify([name, by, epoch, special, ...own]);
}
