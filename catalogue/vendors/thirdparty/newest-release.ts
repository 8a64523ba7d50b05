/** Determines the newest release among an application's sources, with the evidence and the version of every source. */
import { distinctWords, toWebAddress } from '../../values/vendor-words.ts';
import type { ReleasePackage } from './release-package.ts';
import type { SourceFacts, SourceName } from './thirdparty-sources.ts';
import { compareVersions, parseVersionNumbers } from './version-numbers.ts';
import { findNameInAddresses, type ReleaseNames, relate } from './version-relations.ts';

/** The newest release of one source. */
interface SourceRelease extends ReleaseNames {
  readonly source: SourceName;
  readonly platform: 'WINDOWS' | 'MACOS';
  readonly releaseDate: number | null;
  readonly notesLink: string | null;
}

export interface NewestRelease {
  /** As spelled by the source with the most numbers; null when no source has a version or the versions cannot be compared. */
  readonly version: string | null;
  readonly releaseDate: number | null;
  /** Explains how versions of different schemes are related, or why none is the newest; null when they share a scheme. */
  readonly note: string | null;
  /** Spellings of the newest release. */
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

/** Compares releases for Windows; those for macOS only when there are no others, because platforms are numbered independently. */
export function findNewestRelease(sources: readonly SourceFacts[]): NewestRelease {
  const releases = listReleases(sources);
  const forWindows = releases.filter(({ platform }) => platform === 'WINDOWS');
  const compared = forWindows.length > 0 ? forWindows : releases;
  const newest = getMostPrecise(
    compared.filter((a) => compared.every((b) => (relate(a, b)?.order ?? -1) >= 0)),
  );
  const same =
    newest === null ? [] : compared.filter((other) => relate(newest, other)?.order === 0);
  return {
    version: newest?.version ?? null,
    releaseDate: same.map(({ releaseDate }) => releaseDate).find((date) => date !== null) ?? null,
    note: newest === null ? createUnrelatedNote(compared) : createEvidenceNote(newest, compared),
    spellings: new Set(same.map(({ version }) => version)),
    versions: releases.map((release) => toSourceVersion(release, newest, compared)),
  };
}

/** Returns the release with the most numbers, the first of several. */
function getMostPrecise(releases: readonly SourceRelease[]): SourceRelease | null {
  const precision = ({ version }: SourceRelease) =>
    parseVersionNumbers(version).main.findLastIndex((number) => number !== 0n);
  return releases.toSorted((a, b) => precision(b) - precision(a))[0] ?? null;
}

/** Returns the newest release of each source. */
function listReleases(sources: readonly SourceFacts[]): SourceRelease[] {
  const releases = new Map<string, SourceRelease>();
  for (const words of sources) {
    const { source, version, releaseDate = null } = words;
    if (version === undefined) continue;
    const before = releases.get(source);
    if (before !== undefined && compareVersions(version, before.version) <= 0) continue;
    const platform = source === 'Homebrew' ? 'MACOS' : 'WINDOWS';
    const notesLink = toWebAddress(
      sources.find((other) => other.source === source && other.notesOf === version)?.notesLink,
    );
    releases.set(source, {
      source,
      platform,
      releaseDate,
      notesLink,
      ...toReleaseNames(version, words.packages ?? []),
    });
  }
  return [...releases.values()];
}

/** Adds the names that the version's installers have for it. */
function toReleaseNames(version: string, packages: readonly ReleasePackage[]): ReleaseNames {
  const own = packages.filter((installer) => installer.version === version);
  const inAddresses = findNameInAddresses(
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

function toSourceVersion(
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
    standing: describeStanding(release, newest, compared),
    notesLink,
  };
}

function describeStanding(
  release: SourceRelease,
  newest: SourceRelease | null,
  compared: readonly SourceRelease[],
): string {
  if (!compared.includes(release)) return 'Another platform';
  if (newest === null) return 'Not comparable';
  if (release === newest) return 'Newest';
  return relate(newest, release)?.order === 0 ? 'The same release' : 'Older';
}

function createEvidenceNote(
  newest: SourceRelease,
  compared: readonly SourceRelease[],
): string | null {
  const evidence = compared.flatMap((other) => relate(newest, other)?.evidence ?? []);
  return evidence.length === 0
    ? null
    : [...new Set(evidence)].map((words) => `${words}.`).join(' ');
}

/** Returns null when there is nothing to compare. */
function createUnrelatedNote(compared: readonly SourceRelease[]): string | null {
  if (compared.length === 0) return null;
  const listed = compared.map(({ source, version }) => `${version} of ${source}`).join(', ');
  return `Numbered in schemes that nothing relates, so none is called the newest: ${listed}.`;
}

/** Sorts installers by version, newest first; versions that cannot be compared keep their position. */
export function sortNewestFirst(packages: readonly ReleasePackage[]): ReleasePackage[] {
  const ordered: ReleaseNames[] = [];
  for (const version of new Set(packages.map((item) => item.version))) {
    const release = toReleaseNames(version, packages);
    const at = ordered.findIndex((other) => (relate(release, other)?.order ?? 0) > 0);
    ordered.splice(at === -1 ? ordered.length : at, 0, release);
  }
  const ranks = new Map(ordered.map(({ version }, rank) => [version, rank]));
  const getRank = ({ version }: ReleasePackage) => ranks.get(version) ?? 0;
  return packages.toSorted((a, b) => getRank(a) - getRank(b));
}
