/** Formats a record's fix for people: a package with its version, a KB, a version. */
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
  const own = toWord(row['pkgAndVersion']) ?? packageOfRow(row) ?? packageOfNotice(detail, release);
  if (own !== null) return own;
  if (packages !== undefined) {
    const [first] = toRows(detail[packages.table]);
    const source = packages.source === undefined ? null : toWord(first?.[packages.source]);
    if (source !== null) return source.replace(/\.src\.rpm$/, '');
    const [name, version] = [toWord(first?.[packages.name]), toWord(first?.[packages.version])];
    if (name !== null) return version === null ? name : `${name}-${version}`;
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

/** Reads a notice's source package for the release. */
function packageOfNotice(detail: Values, release: string | null): string | null {
  const found = toRows(detail['releasePackages']).filter(
    ({ osVersion }) => release === null || osVersion === undefined || osVersion === release,
  );
  const first = found.find(({ is_source }) => is_source === true) ?? found[0];
  const [name, version] = [toWord(first?.['name']), toWord(first?.['version'])];
  return name === null || version === null ? null : `${name} ${version}`;
}
