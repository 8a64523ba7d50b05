/** What a vendor says of a vulnerability in a source package of a release that has no fix for it. All of a part replace those of its last reading. */
export interface PackageStatus {
  readonly kind: 'status';
  /** As the vendor's list writes it: Debian 11. */
  readonly release: string;
  /** The source package. */
  readonly package: string;
  readonly cve: string;
  readonly word: StatusWord;
}

/** Not fixed; not fixed for good; fixed with a later update; not examined yet; not in this release. */
export const statusWords = [
  'open',
  'ignored',
  'postponed',
  'undetermined',
  'not_affected',
] as const;
export type StatusWord = (typeof statusWords)[number];

/** Words by which the release is affected. */
export const affectedWords: readonly StatusWord[] = ['open', 'ignored', 'postponed'];

/** Replaces the word of a status that the vendor does not list any more. The row stays, since its document changed with it. */
export const goneWord = 'gone';
