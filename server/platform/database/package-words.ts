/**
 * Returns the words of a record's packages for searches by keyword: names of packages and source packages, and versions without the
 * epoch, each once. A search splits a name with a version typed as one word (see search/package-keyword.ts): storing them separately
 * takes a quarter of the space, which every search by keyword reads.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

/**
 * Maximum characters per record. The largest record in the feed mirror needs half of that. The last packages of a larger record are
 * found only by their bulletin and by names in the record's own fields.
 */
export const maxPackageCharacters = 16_384;

/** Returns folded words, without those in `known`, the record's other words. */
export function getPackageWords(
  { detail: { packages } }: ListDefinition,
  detail: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): string[] {
  const rows =
    packages === undefined
      ? []
      : ((detail[packages.table] ?? []) as readonly Readonly<Record<string, unknown>>[]);
  const words = new Set<string>();
  let characters = 0;
  for (const row of rows) {
    for (const word of toWords(row, packages)) {
      if (known.has(word) || words.has(word)) continue;
      characters += word.length + 1;
      if (characters > maxPackageCharacters) return [...words];
      words.add(word);
    }
  }
  return [...words];
}

function toWords(
  row: Readonly<Record<string, unknown>>,
  packages: ListDefinition['detail']['packages'],
): string[] {
  if (packages === undefined) return [];
  const { name, version, source } = packages;
  const written = [
    row[name],
    withoutEpoch(row[version]),
    source === undefined ? null : sourceName(row[source]),
  ];
  return written.flatMap((word) =>
    typeof word === 'string' && word !== '' ? [fold(word.replaceAll(/[\0\n]/g, ' '))] : [],
  );
}

function withoutEpoch(version: unknown): unknown {
  return typeof version === 'string' ? version.replace(/^\d+:/, '') : null;
}

/** Returns the name in a file such as openssl-1.1.1k-12.el8_9.src.rpm: openssl. */
function sourceName(file: unknown): string | null {
  return typeof file === 'string'
    ? (/^(.+)-[^-]+-[^-]+\.(?:no)?src\.rpm$/.exec(file)?.[1] ?? null)
    : null;
}
