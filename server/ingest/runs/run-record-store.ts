/** Stores the change log of a run and the vendor records that it rejected. */
import { changeKinds, RunChange, RunRejection } from '@patch/contract/sources/run-endpoints.ts';
import type { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import { type Page, readPage } from '../../platform/database/counted-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { jsonText } from '../../platform/database/json-text.ts';

type Change = Omit<RunChange, 'id'>;
export type Rejected = Omit<z.infer<typeof RunRejection>, 'id'>;

export async function addChanges(
  tx: Queryable,
  runId: number,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `insert into sync_change (run_id, list, row_id, identity, kind, fields)
     select $1, list, "rowId", identity, kind, fields
     from jsonb_to_recordset($2::jsonb) as change(list text, "rowId" bigint, identity text, kind text, fields jsonb)`,
    [runId, jsonText(changes)],
  );
}

/**
 * Adds changes of records that this run may have changed before. Merges both changes of a record into one, from its first to its last
 * state. Returns the count of records that the run had not changed before.
 */
export async function addFurtherChanges(
  tx: Queryable,
  runId: number,
  changes: readonly Change[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const { count } = await tx.query(
    `with change as (select * from jsonb_to_recordset($2::jsonb) as change(list text, "rowId" bigint, identity text, kind text, fields jsonb)),
     known as (update sync_change as logged
       set fields = case logged.kind when 'changed' then logged.fields || coalesce((
         select jsonb_object_agg(name, case when logged.fields ? name then jsonb_set(values, '{was}', logged.fields -> name -> 'was') else values end)
         from jsonb_each(change.fields) as field(name, values)), '{}') else logged.fields end
       from change where logged.run_id = $1 and logged.list = change.list and logged.row_id = change."rowId"
       returning logged.list, logged.row_id)
     insert into sync_change (run_id, list, row_id, identity, kind, fields)
     select $1, list, "rowId", identity, kind, fields from change
     where not exists (select from known where known.list = change.list and known.row_id = change."rowId")`,
    [runId, jsonText(changes)],
  );
  return count;
}

export async function addRejections(
  tx: Queryable,
  runId: number,
  rejections: readonly Rejected[],
): Promise<void> {
  if (rejections.length === 0) return;
  await tx.query(
    `insert into sync_rejection (run_id, record, reason, url)
     select $1, record, reason, url from jsonb_to_recordset($2::jsonb) as rejection(record text, reason text, url text)`,
    [runId, jsonText(rejections)],
  );
}

/** Removes the changes and rejections of a run in small batches, so that other queries do not wait long. */
export async function removeRecords(database: Queryable, runId: number): Promise<void> {
  for (const table of ['sync_change', 'sync_rejection']) {
    let removed: number;
    do {
      const first = `select id from ${table} where run_id = $1 order by id limit 5000`;
      removed = (await database.query(`delete from ${table} where id in (${first})`, [runId]))
        .count;
    } while (removed > 0);
  }
}

export const readChangesPage = (
  database: Queryable,
  runId: number,
  offset: number,
  size: number,
  kinds: readonly RunChange['kind'][] = changeKinds,
): Promise<Page<RunChange>> =>
  readPage(
    database,
    RunChange,
    {
      columns: 'id, list, row_id as "rowId", identity, kind, fields',
      from: 'sync_change where run_id = $1 and kind = any($2::text[])',
      order: 'id',
      offset,
      size,
    },
    [runId, arrayText(kinds)],
  );

export const readRejectionsPage = (
  database: Queryable,
  runId: number,
  offset: number,
  size: number,
): Promise<Page<z.infer<typeof RunRejection>>> =>
  readPage(
    database,
    RunRejection,
    {
      columns: 'id, record, reason, url',
      from: 'sync_rejection where run_id = $1',
      order: 'id',
      offset,
      size,
    },
    [runId],
  );
