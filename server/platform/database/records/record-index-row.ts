/** Computes a record's row in the index of records, before the records of its update are merged. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import {
  type IndexedRecord,
  type RecordMapping,
  recordMapping,
  toIndexedRecord,
} from '@patch/catalogue/records/record-mapping.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import { contentHash } from '../rows/content-hash.ts';
import { oncePerList, searchedColumns } from '../rows/list-columns.ts';
import {
  addWords,
  getPackageWords,
  type StoredRow,
  storedRow,
  truncateFolded,
  withoutNul,
} from '../rows/stored-row.ts';
import type { RecordContent } from './stored-record.ts';

export const allPatches = getList('all_patches');

/** Returns true if the list's records are in the index, as those of all vendors are. */
export const isIndexed = ({ source }: ListDefinition): boolean => source !== null;

/** Returns the mapping of a vendor's list to the index. */
export const getIndexMapping = oncePerList(
  (list): RecordMapping =>
    recordMapping(list, sourceLabels[list.source as SourceKey] ?? list.shortLabel),
);

/** Computes a hash that changes when the index would store the same records differently: the list's index is then rebuilt. */
export const mappingHash = (list: ListDefinition): string =>
  contentHash(
    { mapping: getIndexMapping(list), updates: list.countedBy ?? null, form: formVersion(list) },
    {},
  );

/** Version of the stored form, to be raised when the index stores the list's records differently. */
const formVersion = ({ countedBy }: ListDefinition) => (countedBy === undefined ? 2 : 4);

/**
 * Returns the row without ids and times.
 * @param words - All words of the list's row, so that a search of the index finds the same.
 */
export function indexRow(
  list: ListDefinition,
  { row, detail }: RecordContent,
  words: Set<string>,
): StoredRow {
  const record = toIndexedRecord(getIndexMapping(list), row, detail);
  const { exploited, alias: second, names, ...shown } = record;
  const alias = second === null ? null : withoutNul(second);
  const stored = storedRow(allPatches, { ...copyLists(shown), list: list.key, folded: false }, {});
  return completeRow(
    {
      ...stored,
      vendor_exploited: exploited,
      update_key: getUpdateKey(list, row),
      alias,
      alias_folded: alias === null ? null : truncateFolded(fold(alias)),
      names: joinNames([...names, ...getPackageWords(list, detail, new Set())]),
    },
    words,
  );
}

/** The columns with the words of a row of the index. The names are words too. */
const wordColumns = [...searchedColumns(allPatches), 'names'];

/** Returns all words of rows of the index, each once. */
export function readIndexWords(rows: readonly StoredRow[]): Set<string> {
  const words = new Set<string>();
  for (const row of rows) addWords(words, row, wordColumns);
  return words;
}

/** Returns the row with those of the words, and of its keyword, in `keyword` that no other column has. */
export function completeRow(row: StoredRow, words: Set<string>): StoredRow {
  addWords(words, row, ['keyword']);
  const others = words.difference(readIndexWords([{ ...row, keyword: null }]));
  return { ...row, keyword: [...others].toSorted().join('\n') };
}

/** The identifier's endpoints do not accept longer names. */
const maxNameLength = 600;

/** Folds the names, one per line without duplicates; null if there are none. */
function joinNames(names: readonly string[]): string | null {
  const lines = names.flatMap((name) => fold(withoutNul(name)).split('\n'));
  const uniqueNames = new Set(lines.filter((line) => line !== '' && line.length <= maxNameLength));
  return uniqueNames.size === 0 ? null : [...uniqueNames].join('\n');
}

function copyLists(record: Omit<IndexedRecord, 'exploited' | 'alias' | 'names'>) {
  const { release, cve, packages } = record;
  return { ...record, release: [...release], cve: [...cve], packages: [...packages] };
}

/** Returns null for a list whose records are separate updates. */

function getUpdateKey(list: ListDefinition, row: Readonly<Record<string, unknown>>): string | null {
  const name = list.countedBy === undefined ? null : row[list.countedBy];
  if (typeof name !== 'string' || name === '') return null;
  return `${list.source} ${truncateFolded(fold(withoutNul(name)))}`;
}
