/**
 * Keeps the fixes of records that a version without them wrote. Runs beside the service, in batches; a process that is killed goes on
 * where it was. Until a list is done, machines are judged by reading its records.
 */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import type { Database, Queryable } from './database.ts';
import { bringsPackages, keepFixes, packageLists } from './package-fix-store.ts';
import { queryRows } from './query-rows.ts';
import { allPatches } from './record-index.ts';
import { refreshStatistics } from './refresh-statistics.ts';
import { storedContents } from './stored-record.ts';

const recordsABatch = 100;

const ListRow = z.object({ list: z.string() });

/** Whether the fixes of every record are kept. */
export async function areFixesKept(database: Queryable): Promise<boolean> {
  const rows = await queryRows(
    database,
    ListRow,
    'select list from package_fix_to_fill where list = any($1::text[]) limit 1',
    [arrayText(packageLists.map(({ key }) => key))],
  );
  return rows.length === 0;
}

export interface FixFill {
  readonly database: Database;
  readonly signal?: AbortSignal;
}

/** Answers how many records were read. Rejects with a DatabaseError. */
export async function fillPackageFixes({ database, signal }: FixFill): Promise<number> {
  const rows = await queryRows(database, ListRow, 'select list from package_fix_to_fill');
  const waiting = new Set(rows.map(({ list }) => list));
  let read = 0;
  for (const list of catalogueLists.filter(({ key }) => waiting.has(key)))
    read += await fillList(database, list, signal);
  if (read > 0) await refreshStatistics(database, { package_fix: read * 10, fix_series: read });
  return read;
}

async function fillList(
  database: Database,
  list: ListDefinition,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let read = 0; ; ) {
    if (signal?.aborted) return read;
    const records = bringsPackages(list)
      ? await database.transaction((tx) => fillBatch(tx, list))
      : 0;
    read += records;
    if (records === recordsABatch) continue;
    await database.query('delete from package_fix_to_fill where list = $1', [list.key]);
    return read;
  }
}

const PlaceRow = z.object({ id: z.number(), record_id: z.number() });

/** What a writer has not yet written of a record is written by it afterwards: it waits for the index of records. */
async function fillBatch(tx: Queryable, list: ListDefinition): Promise<number> {
  await tx.query('select 1 from list_revision where list = $1 for update', [allPatches.key]);
  const places = await queryRows(
    tx,
    PlaceRow,
    `select id, record_id from record where list = $1
       and record_id > (select filled_to from package_fix_to_fill where list = $1)
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
  await keepFixes(
    tx,
    list,
    places.flatMap(({ id, record_id }) => {
      const content = contents.get(record_id);
      return content === undefined ? [] : [{ id, isNew: false, ...content }];
    }),
  );
  await tx.query('update package_fix_to_fill set filled_to = $2 where list = $1', [
    list.key,
    last.record_id,
  ]);
  return places.length;
}
