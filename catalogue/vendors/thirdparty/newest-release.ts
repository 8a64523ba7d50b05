/** The newest release that an application's sources tell of, and what that rests on: every source's version beside it. */
import { distinctWords, webAddressOf } from '../../values/vendor-words.ts';
import type { ReleasePackage } from './release-package.ts';
import type { SourceName, SourceWords } from './thirdparty-sources.ts';
import { compareVersions, versionNumbers } from './version-numbers.ts';
import { type NamedRelease, nameInAddresses, relate } from './version-relations.ts';

/** The newest release that one source tells of. */
interface SourceRelease extends NamedRelease {
  readonly source: SourceName;
  readonly platform: 'WINDOWS' | 'MACOS';
  readonly releaseDate: number | null;
  readonly notesLink: string | null;
}

export interface NewestRelease {
  /** As the source spells it that has the most numbers for it; null where no source has a version or they cannot be compared. */
  readonly version: string | null;
  readonly releaseDate: number | null;
  /** What relates versions of different schemes, or why none is called the newest; null where the versions speak for themselves. */
  readonly note: string | null;
  /** The spellings of the newest release. */
  readonly spellings: ReadonlySet<string>;
  readonly versions: readonly SourceVersion[];
}

export interface SourceVersion {
  readonly source: SourceName;
  readonly version: string;
  readonly osPlatform: 'WINDOWS' | 'MACOS';
  readonly releaseDate: number | null;
  readonly standing: string;
  readonly notesLink: string | null;
}

/** What a release for one platform is called says nothing of another's: those for macOS count where there are no others. */
export function newestRelease(sources: readonly SourceWords[]): NewestRelease {
  const releases = releasesOf(sources);
  const forWindows = releases.filter(({ platform }) => platform === 'WINDOWS');
  const compared = forWindows.length > 0 ? forWindows : releases;
  const newest = mostPrecise(
    compared.filter((one) => compared.every((other) => (relate(one, other)?.order ?? -1) >= 0)),
  );
  const same =
    newest === null ? [] : compared.filter((other) => relate(newest, other)?.order === 0);
  return {
    version: newest?.version ?? null,
    releaseDate: same.map(({ releaseDate }) => releaseDate).find((date) => date !== null) ?? null,
    note: newest === null ? unrelatedNote(compared) : evidenceNote(newest, compared),
    spellings: new Set(same.map(({ version }) => version)),
    versions: releases.map((release) => sourceVersion(release, newest, compared)),
  };
}

/** Of several names of one release the one with the most numbers; the first of those with as many. */
function mostPrecise(releases: readonly SourceRelease[]): SourceRelease | null {
  const precision = ({ version }: SourceRelease) =>
    versionNumbers(version).main.findLastIndex((number) => number !== 0n);
  return releases.toSorted((a, b) => precision(b) - precision(a))[0] ?? null;
}

/** Of each source the newest release that it tells of. */
function releasesOf(sources: readonly SourceWords[]): SourceRelease[] {
  const releases = new Map<string, SourceRelease>();
  for (const words of sources) {
    const { source, version, releaseDate = null } = words;
    if (version === undefined) continue;
    const before = releases.get(source);
    if (before !== undefined && compareVersions(version, before.version) <= 0) continue;
    const platform = source === 'Homebrew' ? 'MACOS' : 'WINDOWS';
    const notesLink = webAddressOf(
      sources.find((other) => other.source === source && other.notesOf === version)?.notesLink,
    );
    releases.set(source, {
      source,
      platform,
      releaseDate,
      notesLink,
      ...namedRelease(version, words.packages ?? []),
    });
  }
  return [...releases.values()];
}

/** With the names that the installers of the version have for it. */
function namedRelease(version: string, packages: readonly ReleasePackage[]): NamedRelease {
  const own = packages.filter((one) => one.version === version);
  const inAddresses = nameInAddresses(
    version,
    own.flatMap(({ url }) => url ?? []),
  );
  const displayed = distinctWords(own.map(({ displayVersion }) => displayVersion)).filter(
    (name) => name !== version,
  );
  return {
    version,
    otherNames: [
      ...displayed.map((name) => ({ name, where: 'in the list of installed programs' })),
      ...(inAddresses === null ? [] : [{ name: inAddresses, where: 'in its download address' }]),
    ],
  };
}

function sourceVersion(
  release: SourceRelease,
  newest: SourceRelease | null,
  compared: readonly SourceRelease[],
): SourceVersion {
  const { source, version, platform: osPlatform, releaseDate, notesLink } = release;
  return {
    source,
    version,
    osPlatform,
    releaseDate,
    standing: standingOf(release, newest, compared),
    notesLink,
  };
}

function standingOf(
  release: SourceRelease,
  newest: SourceRelease | null,
  compared: readonly SourceRelease[],
): string {
  if (!compared.includes(release)) return 'Another platform';
  if (newest === null) return 'Not comparable';
  if (release === newest) return 'Newest';
  return relate(newest, release)?.order === 0 ? 'The same release' : 'Older';
}

function evidenceNote(newest: SourceRelease, compared: readonly SourceRelease[]): string | null {
  const evidence = compared.flatMap((other) => relate(newest, other)?.evidence ?? []);
  return evidence.length === 0
    ? null
    : [...new Set(evidence)].map((words) => `${words}.`).join(' ');
}

/** Null where there is nothing to compare. */
function unrelatedNote(compared: readonly SourceRelease[]): string | null {
  if (compared.length === 0) return null;
  const told = compared.map(({ source, version }) => `${version} of ${source}`).join(', ');
  return `Numbered in schemes that nothing relates, so none is called the newest: ${told}.`;
}

/** The installers of the newest version first, as far as versions can be compared; those that cannot stay behind what came before them. */
export function newestFirst(packages: readonly ReleasePackage[]): ReleasePackage[] {
  const ordered: NamedRelease[] = [];
  for (const version of new Set(packages.map((one) => one.version))) {
    const release = namedRelease(version, packages);
    const at = ordered.findIndex((other) => (relate(release, other)?.order ?? 0) > 0);
    ordered.splice(at === -1 ? ordered.length : at, 0, release);
  }
  const ranks = new Map(ordered.map(({ version }, rank) => [version, rank]));
  const rankOf = ({ version }: ReleasePackage) => ranks.get(version) ?? 0;
  return packages.toSorted((a, b) => rankOf(a) - rankOf(b));
}
