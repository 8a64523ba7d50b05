/** What a record installs against a vulnerability, as people say it: a package with its version, a KB, a version. */
import type { ListDefinition } from '../definition/list-definition.ts';

type Values = Readonly<Record<string, unknown>>;

const wordOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

const rowsOf = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? (value as readonly Values[]) : [];

/** For one release of a record that names several; null where the record does not say. */
export function fixedIn(
  { detail: { packages } }: ListDefinition,
  row: Values,
  detail: Values,
  release: string | null,
): string | null {
  const own = wordOf(row['pkgAndVersion']) ?? packageOfRow(row) ?? packageOfNotice(detail, release);
  if (own !== null) return own;
  if (packages !== undefined) {
    const [first] = rowsOf(detail[packages.table]);
    const source = packages.source === undefined ? null : wordOf(first?.[packages.source]);
    if (source !== null) return source.replace(/\.src\.rpm$/, '');
    const [name, version] = [wordOf(first?.[packages.name]), wordOf(first?.[packages.version])];
    if (name !== null) return version === null ? name : `${name}-${version}`;
  }
  const build = Array.isArray(detail['fixedBuild']) ? wordOf(detail['fixedBuild'][0]) : null;
  const kb = wordOf(row['kbId']);
  if (kb !== null) return build === null ? kb : `${kb} (${build})`;
  return wordOf(row['version']) ?? wordOf(detail['version']);
}

function packageOfRow(row: Values): string | null {
  const [name, version] = [wordOf(row['binaryPkgName']), wordOf(row['binaryPkgVersion'])];
  return name === null || version === null ? null : `${name} ${version}`;
}

/** Of a notice, the source package of the release. */
function packageOfNotice(detail: Values, release: string | null): string | null {
  const found = rowsOf(detail['releasePackages']).filter(
    ({ osVersion }) => release === null || osVersion === undefined || osVersion === release,
  );
  const first = found.find(({ is_source }) => is_source === true) ?? found[0];
  const [name, version] = [wordOf(first?.['name']), wordOf(first?.['version'])];
  return name === null || version === null ? null : `${name} ${version}`;
}
