/** What the file name of an RPM package says, where a vendor writes nothing else. */
import { wordOf } from '../values/vendor-words.ts';

export interface RpmFileName {
  readonly name: string;
  /** Null when it is not written: file names leave it out, NEVRAs have it. */
  readonly epoch: string | null;
  readonly version: string;
  readonly release: string;
  readonly architecture: string;
}

/** `bind-utils-32:9.11.4-26.P2.el7_9.x86_64.rpm`, with or without the epoch and `.rpm`, with or without a folder. Null for what is no such name. */
export function rpmFileName(written: unknown): RpmFileName | null {
  const file =
    wordOf(written)
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

/** A package that others are built from: nothing that a system installs. */
export function isSourcePackage({ architecture }: Pick<RpmFileName, 'architecture'>): boolean {
  return architecture === 'src' || architecture === 'nosrc';
}

/** The major release of Enterprise Linux that a package was built for: 8 of `17.el8_10` and of `1.module+el8.4.0+557`. */
export function enterpriseLinuxRelease(release: string): string | null {
  return /[.+_]el(\d+)/i.exec(release)?.[1] ?? null;
}

/**
 * The file name of the source package that a package was built from, found among those of the same advisory: by version and release,
 * several of them by name; one of another version only when it is the only one of that release. Null when it is not certain.
 */
export function sourceFileName(of: RpmFileName, sources: readonly RpmFileName[]): string | null {
  const sameRelease = sources.filter(({ release }) => release === of.release);
  const sameVersion = sameRelease.filter(({ version }) => version === of.version);
  const candidates = sameVersion.length > 0 ? sameVersion : sameRelease;
  const found = candidates.length === 1 ? candidates[0] : maxBeginningLength(of.name, sameVersion);
  return found === undefined
    ? null
    : `${found.name}-${found.version}-${found.release}.${found.architecture}.rpm`;
}

/** kernel-rt of kernel and kernel-rt, for kernel-rt-core. */
function maxBeginningLength(
  name: string,
  sources: readonly RpmFileName[],
): RpmFileName | undefined {
  return sources
    .filter((source) => name === source.name || name.startsWith(`${source.name}-`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}
