/** The architectures that package managers know, by package format. */
import type { InstalledPackage } from '../machine.ts';

const rpm: ReadonlySet<string> = new Set([
  'aarch64',
  'armv6hl',
  'armv7hl',
  'athlon',
  'i386',
  'i486',
  'i586',
  'i686',
  'ia32e',
  'ia64',
  'loongarch64',
  'noarch',
  'nosrc',
  'ppc',
  'ppc64',
  'ppc64le',
  'riscv64',
  's390',
  's390x',
  'src',
  'x86_64',
  'x86_64_v2',
  'x86_64_v3',
]);

const deb: ReadonlySet<string> = new Set([
  'all',
  'alpha',
  'amd64',
  'arm64',
  'armel',
  'armhf',
  'hppa',
  'i386',
  'ia64',
  'loong64',
  'mips',
  'mips64el',
  'mipsel',
  'powerpc',
  'ppc64el',
  'riscv64',
  's390x',
  'x32',
]);

export const isRpmArchitecture = (word: string): boolean => rpm.has(word);
/** Returns true for an architecture whose end was cut off: `x86_6`, `noarc`. */
export const isPartOfRpmArchitecture = (word: string): boolean =>
  word.length > 2 && [...rpm].some((one) => one !== word && one.startsWith(word));
export const isDebArchitecture = (word: string): boolean => deb.has(word);
/** Returns true for an architecture of both package formats: `i386`, `s390x`. */
export const isSharedArchitecture = (word: string): boolean => rpm.has(word) && deb.has(word);

const machineNames: Readonly<Record<string, string>> = {
  amd64: 'x86_64',
  arm64: 'aarch64',
  armhf: 'armv7hl',
  i386: 'i686',
  ppc64el: 'ppc64le',
  x86_64_v2: 'x86_64',
};

/** Converts a package's architecture to the machine's name for it: amd64 becomes x86_64. */
export function machineArchitecture(architecture: string): string {
  return Object.hasOwn(machineNames, architecture)
    ? (machineNames[architecture] ?? architecture)
    : architecture;
}

/** Returns the most frequent architecture, except those that run anywhere. */
export function commonArchitecture(
  packages: readonly Pick<InstalledPackage, 'architecture'>[],
): string | null {
  const counts = new Map<string, number>();
  for (const { architecture } of packages) {
    if (architecture === null || architecture === 'noarch' || architecture === 'all') continue;
    counts.set(architecture, (counts.get(architecture) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most === undefined ? null : machineArchitecture(most[0]);
}
