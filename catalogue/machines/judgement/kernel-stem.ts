/** Kernel packages of Debian and Ubuntu, where an update is a package with a new name. */

/** `linux-image-5.10.0-8-amd64`, `linux-hwe-6.8-headers-6.8.0-40`, and Debian's backports: `linux-image-6.1.0-0.deb11.21-amd64`. */
const numbered =
  /^(linux-(?:[a-z0-9.]{1,40}-){1,8}?\d{1,3}(?:\.\d{1,3}){1,2})-(?:0\.[a-z]{1,9}\d{0,3}\.)?\d{1,5}(?=$|[-.])(.*)$/;
/** Since Debian 13 the complete version takes the place of the ABI number: `linux-image-6.12.38+deb13-amd64`. */
const released =
  /^(linux-(?:[a-z0-9.]{1,40}-){1,8}?\d{1,3}\.\d{1,3})(?:\.\d{1,4})?(?:\+[a-z0-9]{1,20}){1,3}(?=$|-)(.*)$/;

/**
 * Removes the ABI number from a name: `linux-image-5.10.0-8-amd64` becomes `linux-image-5.10.0-#-amd64`. The version stays in it,
 * because Ubuntu supports several kernels of one release side by side. Returns null for other packages.
 */
export function kernelStem(name: string): string | null {
  const [, before, behind] = numbered.exec(name) ?? released.exec(name) ?? [];
  return before === undefined ? null : `${before}-#${behind ?? ''}`;
}

/** Removes the version too: `linux-image-#-amd64`. Versions within one line of kernels may differ, because one source builds the line. */
export const anyKernelStem = (name: string): string | null =>
  kernelStem(name)?.replace(/-\d[\d.]*-#/, '-#') ?? null;

/** The parts of a kernel that have packages without a version, which depend on the newest one. */
const withMetapackage = /^linux-(image|headers)-#-(?!common)([a-z0-9-]+)$/;

/** Returns true for `linux-image-amd64` and `linux-headers-generic-hwe-22.04`. */
export const isMetapackage = (name: string): boolean =>
  /^linux-(?:image|headers)-[a-z]/.test(name) && kernelStem(name) === null;

interface Build {
  readonly name: string;
  readonly version: string;
}

/**
 * Returns the package that depends on the newest kernel of the line: `linux-image-generic-hwe-22.04` where it is installed, otherwise
 * `linux-image-amd64` for Debian's first line and `linux-image-6.1-amd64` for another. Null when unknown.
 * @param source - The kernel's source package: `linux`, `linux-6.1`, `linux-hwe-6.8`.
 */
export function kernelMetapackage(
  kernel: Build,
  source: string,
  installed: Iterable<Build>,
): string | null {
  const [, part, flavour] = withMetapackage.exec(anyKernelStem(kernel.name) ?? '') ?? [];
  if (part === undefined || flavour === undefined) return null;
  const plain = `linux-${part}-${flavour}`;
  const found = [...installed]
    .filter(({ name, version }) => name.startsWith(plain) && isSameLine(version, kernel.version))
    .map(({ name }) => name)
    .toSorted((a, b) => a.length - b.length)
    .find((name) => name === plain || name[plain.length] === '-');
  const [isDistributions, line = ''] = /^linux(-\d[\d.]*)?$/.exec(source) ?? [];
  return found ?? (isDistributions === undefined ? null : `linux-${part}${line}-${flavour}`);
}

/** Metapackages of Ubuntu count on behind the version of their kernel: 5.15.0.91.88. */
const isSameLine = (a: string, b: string): boolean => getLine(a) === getLine(b);
const getLine = (version: string) => /^(?:\d+:)?(\d+\.\d+)/.exec(version)?.[1];
