/** Values that the errata of RPM distributions share: categories, versions, checksums, package names. */
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
  // zypper also knows these, beside security, recommended and optional.
  document: 'other',
  yast: 'other',
};

/** Maps the vendor's word, or without a word the third letter of the id: ALSA, RHBA and ELEA. */
export function toErrataCategory(type: string | null | undefined, id: string): ErrataCategory {
  if ((type ?? '').trim() !== '') return findCategory(type) ?? 'other';
  const letter = /^[A-Z]{2}([SBE])A-/.exec(id)?.[1];
  return letter === 'S'
    ? 'security'
    : letter === 'B'
      ? 'bugfix'
      : letter === 'E'
        ? 'enhancement'
        : 'other';
}

/** Returns null for a missing or unknown word. Red Hat writes "Product Enhancement Advisory" for an enhancement. */
export function findCategory(type: string | null | undefined): ErrataCategory | null {
  const word = fold(type ?? '')
    .trim()
    .replace(/^type_|^product /, '')
    .replace(/ advisory$/, '');
  return (Object.hasOwn(categoryWords, word) ? categoryWords[word] : undefined) ?? null;
}

/** Returns epoch:version-release, without an epoch of 0. */
export function formatRpmVersion(
  epoch: string | null,
  version: string | null,
  release: string | null,
): string | null {
  if (version === null) return null;
  const full = release === null ? version : `${version}-${release}`;
  return epoch === null || /^0*$/.test(epoch) ? full : `${epoch}:${full}`;
}

const checksumTypesByLength: Readonly<Record<number, string>> = {
  32: 'md5',
  40: 'sha1',
  64: 'sha256',
  96: 'sha384',
  128: 'sha512',
};

/** Returns the type in lower case; `sha` is SHA-1. A missing or numeric type (createrepo) is derived from the checksum's length. */
export function toChecksumType(type: string | null, checksum: string | null): string | null {
  const word = fold(type ?? '').trim();
  if (word === 'sha') return 'sha1';
  return word === '' || /^\d+$/.test(word)
    ? (checksumTypesByLength[checksum?.length ?? 0] ?? null)
    : word;
}

interface BinaryPackage {
  readonly name: string;
  /** The file name of the source package: name-version-release.src.rpm. */
  readonly sourcePackage: string | null;
}

/**
 * Returns the names of the binary packages, each once, sorted. The package of the title comes first: built from a source package that
 * the title names, preferably of that very name.
 */
export function listBinaryPackageNames(
  title: string | null,
  packages: readonly BinaryPackage[],
): string[] {
  const names = [...new Set(packages.map(({ name }) => name))].toSorted();
  const main = findMainPackage(title, packages);
  return main === undefined ? names : [main, ...names.filter((name) => name !== main)];
}

function findMainPackage(
  title: string | null,
  packages: readonly BinaryPackage[],
): string | undefined {
  const bySource = new Map<string, string[]>();
  for (const { name, sourcePackage } of packages) {
    const source = fold(parseSourceName(sourcePackage) ?? '');
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

/** Returns libxml2 for libxml2-2.9.7-18.el8_10.2.src.rpm. */
function parseSourceName(sourcePackage: string | null): string | undefined {
  return /^(.+)-[^-]+-[^-]+\.(?:no)?src\.rpm$/.exec(sourcePackage ?? '')?.[1];
}
