/** Formats a record's fix for people: a package with its version, a KB, a version. */

import { fold } from '../definition/fold.ts';
import type { ListDefinition } from '../definition/list-definition.ts';

type Values = Readonly<Record<string, unknown>>;

const toWord = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

const toRows = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? (value as readonly Values[]) : [];

/**
 * @param release one of the releases that the record lists.
 * Returns null when the record states no fix.
 */
export function fixedIn(
  { detail: { packages } }: ListDefinition,
  row: Values,
  detail: Values,
  release: string | null,
): string | null {
  const own =
    toWord(row['pkgAndVersion']) ?? packageOfRow(row) ?? packageOfNotice(row, detail, release);
  if (own !== null) return own;
  if (packages !== undefined) {
    const found = packageOfErratum(row, toRows(detail[packages.table]), packages);
    if (found !== null) return found;
  }
  const build = Array.isArray(detail['fixedBuild']) ? toWord(detail['fixedBuild'][0]) : null;
  const kb = toWord(row['kbId']);
  if (kb !== null) return build === null ? kb : `${kb} (${build})`;
  return toWord(row['version']);
}

function packageOfRow(row: Values): string | null {
  const [name, version] = [toWord(row['binaryPkgName']), toWord(row['binaryPkgVersion'])];
  return name === null || version === null ? null : `${name} ${version}`;
}

type PackageFields = NonNullable<ListDefinition['detail']['packages']>;

/** Reads the source of the leading package, or the package itself when its source is not stated. */
function packageOfErratum(row: Values, all: readonly Values[], fields: PackageFields) {
  const sourceOf = (one: Values) =>
    fields.source === undefined
      ? null
      : (toWord(one[fields.source])?.replace(/\.(?:no)?src\.rpm$/, '') ?? null);
  const names = all.map((one) => {
    const source = sourceOf(one);
    return [toWord(one[fields.name]), source?.replace(/-[^-]+-[^-]+$/, '') ?? null] as const;
  });
  const leading = leadingPackage(
    toWord(row['title']),
    names.flat().filter((name) => name !== null),
  );
  const isLeading = (index: number) => names[index]?.includes(leading ?? null) === true;
  const own = all.filter((_, index) => leading !== undefined && isLeading(index));
  const source = own.map(sourceOf).find((one) => one !== null);
  if (source !== undefined) return source;
  const version = toWord(own[0]?.[fields.version]);
  // A name without a version says what is affected, not what fixes it.
  return leading === undefined || version === null ? null : `${leading}-${version}`;
}

/** Reads a notice's source package for the release, or an application's package of the record's version: catalogues list older ones beside it. */
function packageOfNotice(row: Values, detail: Values, release: string | null): string | null {
  const own = toWord(row['version']);
  const found = toRows(detail['releasePackages']).filter(
    ({ osVersion, version }) =>
      (release === null || osVersion === undefined || osVersion === release) &&
      (own === null || own === version),
  );
  const sources = found.filter(({ is_source }) => is_source === true);
  const candidates = sources.length > 0 ? sources : found;
  const names = candidates.map(({ name: written }) => toWord(written));
  const leading = leadingPackage(
    toWord(row['title']),
    names.filter((one) => one !== null),
  );
  const first = candidates[names.indexOf(leading ?? null)];
  const [name, version] = [toWord(first?.['name']), toWord(first?.['version'])];
  return name === null || version === null ? null : `${name} ${version}`;
}

/** Words between the names in a title: `httpd:2.4 security update`, `linux, linux-aws vulnerabilities`. */
const separators = /[\s:;,()/]+/;

/**
 * Finds the package by which an administrator knows an advisory, among the dozens that its sources build.
 * Returns the name that the title has as a word; otherwise the one that shares most parts with the title's words (`kernel-default` of
 * "the Linux Kernel"), and among those the one on which most others build (`kernel-default-devel`). Undefined without names.
 */
export function leadingPackage(title: string | null, names: readonly string[]): string | undefined {
  const words = fold(title ?? '').split(separators);
  const unique = [...new Set(names)];
  for (const word of words) {
    const named = word === '' ? undefined : unique.find((name) => fold(name) === word);
    if (named !== undefined) return named;
  }
  const known = new Set(words);
  const ranks = new Map(
    unique.map((name) => [
      name,
      {
        shared: fold(name)
          .split('-')
          .filter((part) => known.has(part)).length,
        others: unique.filter((other) => other.startsWith(`${name}-`)).length,
      },
    ]),
  );
  const rank = (name: string) => ranks.get(name) ?? { shared: 0, others: 0 };
  return unique.toSorted(
    (a, b) =>
      rank(b).shared - rank(a).shared ||
      rank(b).others - rank(a).others ||
      a.length - b.length ||
      (a < b ? -1 : 1),
  )[0];
}
