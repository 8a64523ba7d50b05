/**
 * The words of a record's packages that a keyword finds it by: their names, those of their source packages, and their versions without
 * the epoch, each once. A name and a version that are typed as one word are looked for apart (see search/package-keyword.ts):
 * that takes a quarter of the room of names with versions, and every search by keyword reads it.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

/**
 * Characters of a record. The most that a vendor's record in the feed mirror needs is half of that; of a larger one the packages
 * that the vendor lists last are found by their bulletin, and by the names in the record's own fields, alone.
 */
export const maxPackageCharacters = 16_384;

/** Folded. `known` are the record's other words, which are not repeated. */
export function packageWords(
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
    for (const word of wordsOfPackage(row, packages)) {
      if (known.has(word) || words.has(word)) continue;
      characters += word.length + 1;
      if (characters > maxPackageCharacters) return [...words];
      words.add(word);
    }
  }
  return [...words];
}

function wordsOfPackage(
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

/** openssl-1.1.1k-12.el8_9.src.rpm is of openssl. */
function sourceName(file: unknown): string | null {
  return typeof file === 'string'
    ? (/^(.+)-[^-]+-[^-]+\.(?:no)?src\.rpm$/.exec(file)?.[1] ?? null)
    : null;
}
