/** How the RPM distributions write what their errata share: categories, versions, checksums, names of packages. */
import { fold } from '../definition/fold.ts';
import type { ErrataCategory } from './rpm-errata-shape.ts';

const categoryWords: Readonly<Record<string, ErrataCategory>> = {
  security: 'security',
  bugfix: 'bugfix',
  'bug fix': 'bugfix',
  recommended: 'bugfix',
  enhancement: 'enhancement',
  optional: 'enhancement',
  feature: 'enhancement',
  newpackage: 'enhancement',
  other: 'other',
  unspecified: 'other',
  // Known to zypper beside security, recommended and optional.
  document: 'other',
  yast: 'other',
};

/** From the vendor's word, else from the id: ALSA, RHBA and ELEA name security, bug fixes and enhancements by their third letter. */
export function errataCategoryOf(type: string | null | undefined, id: string): ErrataCategory {
  if ((type ?? '').trim() !== '') return knownCategory(type) ?? 'other';
  const letter = /^[A-Z]{2}([SBE])A-/.exec(id)?.[1];
  return letter === 'S'
    ? 'security'
    : letter === 'B'
      ? 'bugfix'
      : letter === 'E'
        ? 'enhancement'
        : 'other';
}

/** Null for a missing word and for one that is not known. "Product Enhancement Advisory" is Red Hat's word for an enhancement. */
export function knownCategory(type: string | null | undefined): ErrataCategory | null {
  const word = fold(type ?? '')
    .trim()
    .replace(/^type_|^product /, '')
    .replace(/ advisory$/, '');
  return (Object.hasOwn(categoryWords, word) ? categoryWords[word] : undefined) ?? null;
}

/** epoch:version-release, the epoch left out when it is 0 or missing. */
export function rpmVersion(
  epoch: string | null,
  version: string | null,
  release: string | null,
): string | null {
  if (version === null) return null;
  const full = release === null ? version : `${version}-${release}`;
  return epoch === null || /^0*$/.test(epoch) ? full : `${epoch}:${full}`;
}

const lengthsOfChecksums: Readonly<Record<number, string>> = {
  32: 'md5',
  40: 'sha1',
  64: 'sha256',
  96: 'sha384',
  128: 'sha512',
};

/** `sha` is SHA-1. A type that is missing, or the number that createrepo counts it by, is read from the checksum's length. */
export function checksumTypeOf(type: string | null, checksum: string | null): string | null {
  const word = fold(type ?? '').trim();
  if (word === 'sha') return 'sha1';
  return word === '' || /^\d+$/.test(word)
    ? (lengthsOfChecksums[checksum?.length ?? 0] ?? null)
    : word;
}

interface BinaryPackage {
  readonly name: string;
  /** The file name of the source package: name-version-release.src.rpm. */
  readonly sourcePackage: string | null;
}

/**
 * The names of the binary packages, each once: first the one that the title speaks of (built from a source package that the title
 * names, and of that name itself if there is such), then the others by name.
 */
export function binaryPackageNames(
  title: string | null,
  packages: readonly BinaryPackage[],
): string[] {
  const names = [...new Set(packages.map(({ name }) => name))].toSorted();
  const main = mainPackage(title, packages);
  return main === undefined ? names : [main, ...names.filter((name) => name !== main)];
}

function mainPackage(title: string | null, packages: readonly BinaryPackage[]): string | undefined {
  const bySource = new Map<string, string[]>();
  for (const { name, sourcePackage } of packages) {
    const source = fold(sourceName(sourcePackage) ?? '');
    const names = bySource.get(source);
    if (names === undefined) bySource.set(source, [name]);
    else names.push(name);
  }
  for (const word of fold(title ?? '').split(/[\s:;,()]+/)) {
    const names = word === '' ? undefined : bySource.get(word);
    if (names !== undefined)
      return names.find((name) => fold(name) === word) ?? names.toSorted()[0];
  }
  return undefined;
}

/** libxml2-2.9.7-18.el8_10.2.src.rpm is of libxml2. */
function sourceName(sourcePackage: string | null): string | undefined {
  return /^(.+)-[^-]+-[^-]+\.(?:no)?src\.rpm$/.exec(sourcePackage ?? '')?.[1];
}
