/**
 * Derives from records what a version that did not keep it left out. Runs beside the service, in batches; a process that is killed goes
 * on where it was. The lists that wait are in a table, with how far each has been read.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import type { Database, Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';
import { allPatches } from './record-index-row.ts';
import { type RecordContent, storedContents } from './stored-record.ts';

const recordsABatch = 100;

const ListRow = z.object({ list: z.string() });

export interface Filling {
  readonly database: Database;
  readonly signal?: AbortSignal;
}

export interface RecordToFill extends RecordContent {
  /** In the index of records. */
  readonly id: number;
  /** In its list. */
  readonly recordId: number;
}

export interface Fill {
  /** Of the lists that wait: `list`, `filled_to`. */
  readonly table: 'package_fix_to_fill' | 'vendor_score_to_fill';
  /** Other lists have nothing to keep. */
  readonly isOf: (list: ListDefinition) => boolean;
  /** Inside a transaction that writers of records wait for. */
  readonly keep: (
    tx: Queryable,
    list: ListDefinition,
    records: readonly RecordToFill[],
  ) => Promise<void>;
}

/** Answers how many records were read. Rejects with a DatabaseError. */
export async function fillFromRecords({ database, signal }: Filling, fill: Fill): Promise<number> {
  const rows = await queryRows(database, ListRow, `select list from ${fill.table}`);
  const waiting = new Set(rows.map(({ list }) => list));
  let read = 0;
  for (const list of catalogueLists.filter(({ key }) => waiting.has(key)))
    read += await fillList(database, list, fill, signal);
  return read;
}

async function fillList(
  database: Database,
  list: ListDefinition,
  fill: Fill,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let read = 0; ; ) {
    if (signal?.aborted) return read;
    const records = fill.isOf(list)
      ? await database.transaction((tx) => fillBatch(tx, list, fill))
      : 0;
    read += records;
    if (records === recordsABatch) continue;
    await database.query(`delete from ${fill.table} where list = $1`, [list.key]);
    return read;
  }
}

const PlaceRow = z.object({ id: z.number(), record_id: z.number() });

/** What a writer has not yet written of a record is written by it afterwards: it waits for the index of records. */
async function fillBatch(tx: Queryable, list: ListDefinition, fill: Fill): Promise<number> {
  await tx.query('select 1 from list_revision where list = $1 for update', [allPatches.key]);
  const places = await queryRows(
    tx,
    PlaceRow,
    `select id, record_id from record where list = $1
       and record_id > (select filled_to from ${fill.table} where list = $1)
     order by record_id limit ${recordsABatch}`,
    [list.key],
  );
  const last = places.at(-1);
  if (last === undefined) return 0;
  const contents = await storedContents(
    tx,
    list,
    places.map(({ record_id }) => record_id),
  );
  await fill.keep(
    tx,
    list,
    places.flatMap(({ id, record_id }) => {
      const content = contents.get(record_id);
      return content === undefined ? [] : [{ id, recordId: record_id, ...content }];
    }),
  );
  await tx.query(`update ${fill.table} set filled_to = $2 where list = $1`, [
    list.key,
    last.record_id,
  ]);
  return places.length;
}
