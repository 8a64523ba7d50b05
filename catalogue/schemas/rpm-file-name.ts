/** Parses file names of RPM packages, for vendors that publish nothing else. */
import { createRemark, type Remark } from '../definition/feed.ts';
import { toWord } from '../values/vendor-words.ts';

export interface RpmFileName {
  readonly name: string;
  /** Null when it is not written: file names omit it, NEVRAs contain it. */
  readonly epoch: string | null;
  readonly version: string;
  readonly release: string;
  readonly architecture: string;
}

/** Parses `bind-utils-32:9.11.4-26.P2.el7_9.x86_64.rpm`; epoch, `.rpm` and a leading folder are optional. Returns null for other names. */
export function parseRpmFileName(written: unknown): RpmFileName | null {
  const file =
    toWord(written)
      ?.replace(/^.*\//, '')
      .replace(/\.rpm$/, '') ?? '';
  const [, name, epoch = null, version, release, architecture] =
    /^([^\s:]+)-(?:(\d+):)?([^\s:-]+)-([^\s:-]+)\.(\w+)$/.exec(file) ?? [];
  if (
    name === undefined ||
    version === undefined ||
    release === undefined ||
    architecture === undefined
  )
    return null;
  return { name, epoch, version, release, architecture };
}

/** @param unread names that cannot be parsed */
export function* remarkOnUnreadPackages(id: string, unread: readonly string[]): Generator<Remark> {
  if (unread.length === 0) return;
  const others = unread.length > 1 ? ` and ${unread.length - 1} more` : '';
  yield createRemark(
    `${id}: "${unread[0]}"${others} is not the name, version, release and architecture of a package; left out`,
  );
}

/** Source packages are built into others and never installed. */
export function isSourcePackage({ architecture }: Pick<RpmFileName, 'architecture'>): boolean {
  return architecture === 'src' || architecture === 'nosrc';
}

/** Returns the major release of Enterprise Linux: 8 for `17.el8_10` and `1.module+el8.4.0+557`; null without one. */
export function parseEnterpriseLinuxRelease(release: string): string | null {
  return /[.+_]el(\d+)/i.exec(release)?.[1] ?? null;
}

/**
 * Finds the file name of the package's source among the sources of the same advisory: by version and release, then by name. A source of
 * another version is taken only when it is the only one of that release. Returns null when it is ambiguous.
 */
export function findSourceFileName(
  file: RpmFileName,
  sources: readonly RpmFileName[],
): string | null {
  const sameRelease = sources.filter(({ release }) => release === file.release);
  const sameVersion = sameRelease.filter(({ version }) => version === file.version);
  const candidates = sameVersion.length > 0 ? sameVersion : sameRelease;
  const found = candidates.length === 1 ? candidates[0] : findLongestPrefix(file.name, sameVersion);
  return found === undefined
    ? null
    : `${found.name}-${found.version}-${found.release}.${found.architecture}.rpm`;
}

/** Returns the source with the longest matching name: kernel-rt, not kernel, for kernel-rt-core. */
function findLongestPrefix(name: string, sources: readonly RpmFileName[]): RpmFileName | undefined {
  return sources
    .filter((source) => name === source.name || name.startsWith(`${source.name}-`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}
