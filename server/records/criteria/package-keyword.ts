/** Recognizes a pasted package in a keyword: `openssl-libs-1:1.1.1k-12.el8_9.x86_64`, `libssl3_3.0.11-1~deb12u2_amd64.deb`. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

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
export function joinPackageWords(list: ListDefinition, words: readonly string[]): string | null {
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
