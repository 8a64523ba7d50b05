/**
 * Keeps the version of a record that a checkpoint has, before the record changes: see docs/decisions/093. Without a checkpoint nothing is
 * kept.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { wireRecordSql } from '../rows/wire-record.ts';
import { query } from '../sql-statement.ts';

/**
 * Runs inside the caller's transaction, after the list's revision was raised and before its rows change.
 * @param revision - The revision that changes the records.
 */
export async function keepRecords(
  tx: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
  revision: number,
): Promise<void> {
  if (rowIds.length === 0) return;
  const newest = await query.value(tx, z.number().nullable())`
    select max((revisions ->> ${list.key})::bigint) from checkpoint`;
  if (newest === null) return;
  // Checkpoints are older than the revision: one has the present version if the newest has it.
  await tx.query(
    `insert into kept_record (list, record_id, from_revision, until_revision, is_withdrawn, content)
     select $1, id, revision, $2, withdrawn_time is not null, ${wireRecordSql(list)}
     from ${list.key} where id = any($3::bigint[]) and revision <= $4`,
    [list.key, revision, arrayText(rowIds), newest],
  );
}
