/** Values that the errata of RPM distributions share: categories, versions, checksums, package names. */

import type { UnknownWord } from '../definition/feed.ts';
import { fold } from '../definition/fold.ts';
import { detachText } from '../parsers/detach-text.ts';
import { toWord } from '../values/vendor-words.ts';
import type { ErrataCategory } from './rpm-errata-shape.ts';
import { findUnknownSeverity } from './severities.ts';

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

/** Natural key of an erratum: an erratum for two releases is two rows. */
export function toErratumKey(release: string, id: string): string {
  return `${release}:${id}`;
}

/** Vendors repeat a package for each repository that contains it, and a reference in the records of each. */
export function removeDuplicates<Row extends object>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(Object.values(row)), row])).values()];
}

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
function findCategory(type: string | null | undefined): ErrataCategory | null {
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
  const bySource = Map.groupBy(packages, ({ sourcePackage }) =>
    fold(parseSourceName(sourcePackage) ?? ''),
  );
  for (const word of fold(title ?? '').split(/[\s:;,()]+/)) {
    const names = word === '' ? undefined : bySource.get(word)?.map(({ name }) => name);
    if (names !== undefined)
      return names.find((name) => fold(name) === word) ?? names.toSorted()[0];
  }
  return undefined;
}

/** Returns libxml2 for libxml2-2.9.7-18.el8_10.2.src.rpm. */
function parseSourceName(sourcePackage: string | null): string | undefined {
  return /^(.+)-[^-]+-[^-]+\.(?:no)?src\.rpm$/.exec(sourcePackage ?? '')?.[1];
}

interface VendorWords {
  readonly severity: string | null;
  readonly type: string | null;
  readonly status: string | null;
}

/** `retracted` errata are not listed; the other statuses do not matter. */
const knownStatuses: readonly string[] = ['final', 'stable', 'testing', 'retracted'];

export function toVendorWordFacts({ severity, type, status }: VendorWords) {
  return { vendorSeverity: toWord(severity), vendorCategory: toWord(type), status: toWord(status) };
}

/** Missing words are not reported. */
export function findUnknownErrataWords({ severity, type, status }: VendorWords): UnknownWord[] {
  const category = toWord(type);
  const statusWord = toWord(status);
  return [
    ...findUnknownSeverity(severity),
    ...(category === null || findCategory(category) !== null
      ? []
      : [{ vocabulary: 'category', word: category, shownAs: 'other' }]),
    ...(statusWord === null || knownStatuses.includes(statusWord.toLowerCase())
      ? []
      : [{ vocabulary: 'status', word: statusWord, shownAs: null }]),
  ];
}

const advisory = /\bRH([SBE])A-(\d{4})[:-](\d{3,5})(?!\d)/gi;

/**
 * Red Hat advisories (RHSA-2024:1234) are what errata of rebuilds come from.
 * Finds ids in words or addresses, each once: `https://rhn.redhat.com/errata/RHSA-2012-0001.html` is RHSA-2012:0001.
 */
export function findRedHatAdvisories(texts: Iterable<string | null>): string[] {
  const ids = new Set<string>();
  for (const text of texts) {
    for (const [, kind = '', year, number] of text?.matchAll(advisory) ?? [])
      ids.add(`RH${kind.toUpperCase()}A-${year}:${number}`);
  }
  return [...ids];
}

/** Returns a row of an erratum's references, for vendors that write the id or an address alone. */
export function toRedHatReference(
  id: string,
  address: string | null = `https://access.redhat.com/errata/${id}`,
) {
  return { name: id, type: id.slice(0, 'RHSA'.length).toLowerCase(), title: null, address };
}

/** Returns the ids that occur more than once, so that only their records are buffered. */
export async function findRepeated(
  ids: AsyncIterable<string | null>,
): Promise<ReadonlySet<string>> {
  const met = new Set<string>();
  const repeated = new Set<string>();
  for await (const id of ids) {
    if (id === null) continue;
    if (met.has(id)) repeated.add(detachText(id));
    else met.add(detachText(id));
  }
  return repeated;
}
