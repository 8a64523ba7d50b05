/** Builds records of a vendor's list for tests, and writes them like a sync. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import type { Database } from '../platform/database/database.ts';
import { withdraw, writeEntries } from '../platform/database/records/entry-writer.ts';
import type { EntryToWrite } from '../platform/database/records/project-record.ts';
import { contentHash } from '../platform/database/rows/content-hash.ts';

type Values = Readonly<Record<string, unknown>>;

export interface RecordToWrite {
  readonly key: string;
  readonly row: Values;
  readonly detail?: Values;
}

/** Builds the entry of a feed with its hash. */
export function buildRecord({ key, row, detail = {} }: RecordToWrite): EntryToWrite {
  return { key, row: row as never, detail, contentHash: contentHash(row as never, detail) };
}

/**
 * Writes records in one transaction, and returns the ids of new and changed ones by key.
 * @param now - Epoch milliseconds.
 */
export async function writeRecords(
  database: Database,
  list: ListKey | ListDefinition,
  records: readonly RecordToWrite[],
  now = 1,
  part = 'part',
): Promise<ReadonlyMap<string, number>> {
  const entries = records.map(buildRecord);
  const changes = await database.transaction((tx) =>
    writeEntries(tx, toDefinition(list), part, entries, now),
  );
  return new Map(changes.map(({ key, rowId }) => [key, rowId]));
}

/** Writes rows without details, with their index as key, and returns their ids. */
export async function writeRows(
  database: Database,
  list: ListKey | ListDefinition,
  rows: readonly Values[],
  now = 1,
): Promise<readonly number[]> {
  const records = rows.map((row, index) => ({ key: String(index), row }));
  const ids = await writeRecords(database, list, records, now);
  return records.flatMap(({ key }) => ids.get(key) ?? []);
}

/** Writes records with their title as key and the fields of `row`. */
export function writeTitled(
  database: Database,
  list: ListKey | ListDefinition,
  titles: readonly string[],
  row: Values = {},
  now = 1_000,
): Promise<ReadonlyMap<string, number>> {
  const records = titles.map((title) => ({
    key: title,
    row: { title, ...row },
    detail: { description: `About ${title}: "quoted", \\ and\nmore` },
  }));
  return writeRecords(database, list, records, now);
}

export function withdrawRecords(
  database: Database,
  list: ListKey | ListDefinition,
  ids: readonly (number | undefined)[],
  now = 2,
): Promise<unknown> {
  const known = ids.filter((id) => id !== undefined);
  if (known.length < ids.length) throw new Error('A record to withdraw was not written');
  return database.transaction((tx) => withdraw(tx, toDefinition(list), known, now));
}

const toDefinition = (list: ListKey | ListDefinition): ListDefinition =>
  typeof list === 'string' ? getList(list) : list;
