/** Converts a vendor's row between wire and database format, with the words that a keyword finds. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition, NewRow } from '@patch/catalogue/definition/list-definition.ts';
import {
  type FieldColumns,
  feedColumnsOfList,
  maxFoldedLineLength,
  searchedColumn,
} from './list-columns.ts';

export type Cell = string | number | boolean | null;
export type StoredRow = Readonly<Record<string, Cell>>;

/** Returns values by column, including folded columns and `keyword` with the words that no other column has, but only columns that the feed writes. */
export function storedRow(
  list: ListDefinition,
  row: NewRow<Fields>,
  detail: Readonly<Record<string, unknown>>,
): StoredRow {
  const stored: Record<string, Cell> = {};
  const known = new Set<string>();
  const others: string[] = [];
  for (const columns of feedColumnsOfList(list)) {
    const value = toCell(columns, row[columns.field]);
    stored[columns.column] = value;
    if (columns.folded === null) continue;
    const folded = typeof value === 'string' && !columns.sealed ? fold(value) : null;
    const kept = folded === null || columns.storage.long ? folded : truncateFolded(folded);
    stored[columns.folded] = kept;
    if (columns.rank !== null)
      stored[columns.rank] = folded === null ? null : getChoiceRank(list, columns.field, folded);
    if (folded === null || searchedColumn(columns) === null) continue;
    if (kept !== folded) others.push(folded);
    for (const line of folded.split('\n')) known.add(line);
  }
  others.push(...getIdentifiers(list, detail).filter((word) => !known.has(word)));
  for (const word of others) known.add(word);
  stored['keyword'] = [...others, ...getPackageWords(list, detail, known)].join('\n');
  return stored;
}

/** Adds the lines of these columns, which are the words that a keyword is compared with. */
export function addWords(
  words: Set<string>,
  row: StoredRow,
  columns: readonly string[],
): Set<string> {
  for (const column of columns) {
    const text = row[column];
    if (typeof text !== 'string' || text === '') continue;
    if (text.includes('\n')) for (const line of text.split('\n')) words.add(line);
    else words.add(text);
  }
  return words;
}

/** Returns a row in wire format from its display columns. */
export function wireRow(
  list: ListDefinition,
  stored: Readonly<Record<string, unknown>>,
): NewRow<Fields> {
  const entries = feedColumnsOfList(list).map(({ field, column, storage }) => {
    const value = stored[column] ?? null;
    return [field, storage.several && typeof value === 'string' ? value.split('\n') : value];
  });
  return Object.fromEntries(entries);
}

/** Removes NUL characters, which PostgreSQL cannot store in text. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

function toCell({ storage }: FieldColumns, value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (storage.type !== 'text') return value as Cell;
  if (!storage.several) return withoutNul(toText(value)) || null;
  const elements = (value as readonly unknown[]).map((element) =>
    withoutNul(String(element)).replaceAll('\n', ' '),
  );
  return elements.filter((element) => element !== '').join('\n') || null;
}

/** Converts to text, since a feed may write a number where the list has words. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the index of a folded word among the field's choices; -1 for a vendor's own word. */
export function getChoiceRank(list: ListDefinition, field: string, folded: string): number {
  return (list.fields[field]?.choices ?? []).findIndex((choice) => fold(String(choice)) === folded);
}

/** Returns identifiers that only the detail contains, such as the CVEs of an erratum. */
function getIdentifiers(list: ListDefinition, detail: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(list.detail.facts).flatMap(([name, { kind, restricted }]) => {
    const value = detail[name];
    if (value === undefined || value === null || restricted === true) return [];
    if (kind === 'identifier') return [fold(withoutNul(toText(value)))];
    return kind === 'identifiers'
      ? (value as readonly unknown[]).map((element) => fold(withoutNul(String(element))))
      : [];
  });
}

/** Truncates a folded line to the length that an ordered index allows. */
export function truncateFolded(folded: string): string {
  // A UTF-16 unit takes at most three bytes.
  if (folded.length * 3 <= maxFoldedLineLength) return folded;
  let cut = folded;
  for (
    let excess = Buffer.byteLength(cut) - maxFoldedLineLength;
    excess > 0;
    excess = Buffer.byteLength(cut) - maxFoldedLineLength
  ) {
    cut = truncate(cut, cut.length - Math.ceil(excess / 3));
  }
  return cut;
}

/** Truncates without splitting a surrogate pair. */

function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max);
}

/**
 * Maximum characters per record. The largest record in the feed mirror needs half of that. The last packages of a larger record are
 * found only by their bulletin and by names in the record's own fields.
 */
export const maxPackageCharacters = 16_384;

/**
 * Returns the folded words of a record's packages for searches by keyword: names of packages and source packages, and versions without the
 * epoch, each once, without those in `known`, the record's other words. A search splits a name with a version typed as one word (see
 * splitKeyword): storing them separately takes a quarter of the space, which every search by keyword reads.
 */
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
