/**
 * Reads a keyword: the parts that a row must contain, a pasted package such as `openssl-libs-1:1.1.1k-12.el8_9.x86_64` or
 * `libssl3_3.0.11-1~deb12u2_amd64.deb`, and the names that it equals.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { keywordName, keywordTerms } from '@patch/contract/filter/keyword-terms.ts';
import { columnsOfField } from '../../platform/database/rows/list-columns.ts';
import { truncateFolded } from '../../platform/database/rows/stored-row.ts';
import type { Search } from './search-request.ts';

export interface KeywordPart {
  readonly text: string;
  /** The package that the text names too; null for none. */
  readonly pasted: PackageKeyword | null;
  /** The digits of a KB; null for anything else. */
  readonly kbNumber: string | null;
}

/** Returns the distinct words, phrases and packages of a folded keyword. A row must match each of them. */
export function splitKeyword(list: ListDefinition, keyword: string): readonly KeywordPart[] {
  const terms = keywordTerms(keyword);
  const texts = terms.map(({ text }) => text);
  const listed = terms.some(({ phrase }) => phrase) ? null : joinPackageWords(list, texts);
  return (listed === null ? [...new Set(texts)] : [listed]).map((text) => ({
    text,
    // Words in quotes must be adjacent, as the name and the version of a package are not.
    pasted: text.includes(' ') && listed === null ? null : parsePackageKeyword(list, text),
    kbNumber: parseKbNumber(text),
  }));
}

/** Returns the digits of `kb5034441`; null for anything else. */
function parseKbNumber(keyword: string): string | null {
  return /^kb(\d{5,})$/.exec(keyword)?.[1] ?? null;
}

export interface PackageKeyword {
  /** Folded. */
  readonly name: string;
  /** Folded, without the epoch, which file names omit. */
  readonly version: string;
  /** False when the version may continue: the release is missing, or the pasted text is cut off. */
  readonly isComplete: boolean;
}

/** Returns null when the folded keyword is not a package with a version, or the records of the list have no packages. */
export function parsePackageKeyword(
  { detail }: ListDefinition,
  keyword: string,
): PackageKeyword | null {
  if (detail.packages === undefined) return null;
  return detail.packages.format === 'rpm' ? parseRpmKeyword(keyword) : parseDpkgKeyword(keyword);
}

/**
 * Joins two words of a keyword that are one package, such as `libssl3 3.0.11-1~deb12u2` as dpkg prints it. The version must have a
 * revision or the name an architecture, so that `ubuntu 22.04` stays two words. Returns null for anything else.
 */
function joinPackageWords(list: ListDefinition, words: readonly string[]): string | null {
  const [name = '', version = '', ...others] = words;
  const isListed = others.length === 0 && (name.includes(':') || version.includes('-'));
  const joined = `${name} ${version}`;
  return isListed && parsePackageKeyword(list, joined) !== null ? joined : null;
}

const architectures =
  'x86_64(?:_v\\d)?|i[3-6]86|aarch64(?:_ilp32)?|armv\\d\\w*|ppc(?:64)?(?:le)?|s390x?|ia64|riscv64|noarch|(?:no)?src';
const rpmEnd = new RegExp(`(?:\\.(?:${architectures}))?(?:\\.rpm)?$`);
/** The epoch precedes the version or the package name. */
const epoch = '(?:(?:\\d{1,3}|\\(none\\)):)?';
const nameVersionRelease = new RegExp(
  `^${epoch}(\\w[^\\s:]*)-${epoch}(\\d[^\\s:-]*-[^\\s:\\d-]*\\d[^\\s:-]*)$`,
);
const nameVersion = new RegExp(`^${epoch}(\\w[^\\s:]*)-${epoch}(\\d[^\\s:-]*)$`);
/** Excludes identifiers with a year: CVE-2024-3094, openSUSE-2024-150. */
const yearAndNumber = /^(?:19|20)\d\d-\d+$/;

function parseRpmKeyword(keyword: string): PackageKeyword | null {
  const end = rpmEnd.exec(keyword)?.[0] ?? '';
  const words = keyword.slice(0, keyword.length - end.length);
  const [, name, version] = nameVersionRelease.exec(words) ?? nameVersion.exec(words) ?? [];
  if (name === undefined || version === undefined || yearAndNumber.test(version)) return null;
  return { name, version, isComplete: end !== '' };
}

/** Accepts a file name, `name=version` as in apt, or both separated by a blank as dpkg prints them. */
function parseDpkgKeyword(keyword: string): PackageKeyword | null {
  const form =
    /^([a-z\d][a-z\d+.-]+)(?::[a-z\d-]+)?(?:_|=| +)(?:\d+:)?(\d[^\s:_]*)(_[a-z\d-]+)?(?:\.deb)?$/;
  const [, name, version, architecture] = form.exec(keyword) ?? [];
  return name === undefined || version === undefined
    ? null
    : { name, version, isComplete: architecture !== undefined };
}

/** Returns the folded columns of the names of a list, without long texts and sealed values. */
export function getNameColumns(list: ListDefinition): readonly string[] {
  return list.identity
    .map((name) => columnsOfField(list, name))
    .flatMap(({ folded, storage, sealed }) => (storage.long || sealed ? [] : (folded ?? [])));
}

/** Packages that are called with one digit more than their product: `apache2`, `bind9`, `python3`. */
const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/**
 * Returns the folded names that a keyword can stand for: `kb5034441` also stands for `5034441`, and the reverse; `apache` for
 * `apache2`, and `mysql server` for `mysql-server`.
 */
export function getMatchingNames({ keyword }: Pick<Search, 'keyword'>): readonly string[] {
  const name = keywordName(keyword);
  const number = parseKbNumber(name);
  return [
    name,
    ...(number === null ? [] : [number]),
    ...(/^\d{5,}$/.test(name) ? [`kb${name}`] : []),
    ...(name.includes(' ') ? [name.replaceAll(' ', '-')] : []),
    ...(/^\p{L}{3,}$/u.test(name) ? digits.map((digit) => name + digit) : []),
  ].map(truncateFolded);
}
