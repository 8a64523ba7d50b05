/** Reads what brings the client of a ring to the list at the ring's checkpoint, in the order of the present rows. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { tableColumnsOfList } from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { wireRecordSql } from '../../platform/database/wire-record.ts';
import type { ChangeCursor, RingScan } from './change-cursor.ts';

const ScanRow = z.object({
  /** JSON objects joined by commas; null when no row was found. */
  rows: z.string().nullable(),
  found: z.number(),
  /** Revision and id of the last row in the order of the present rows; null when no row was found. */
  revision: z.number().nullable(),
  id: z.number().nullable(),
  /** False when no checkpoint has the target any more, so that its versions may be gone. */
  hasTarget: z.boolean(),
});

/**
 * Returns the rows after the cursor that a client needs, at most `limit`. A record that changes meanwhile moves behind the cursor, where
 * its version at the target is the same as before, so that none is missed. One statement sees versions and checkpoints at one moment.
 */
export async function readScanBatch(
  database: Queryable,
  list: ListDefinition,
  { revision, id, scan }: ChangeCursor & { readonly scan: RingScan },
  limit: number,
): Promise<z.infer<typeof ScanRow>> {
  const { low, high, target } = scan;
  const isForward = high <= target;
  // Without a version at the target, a record is one that the client is to delete.
  const json = `case when change_revision <= $4 then ${wireRecordSql(list)} when kept_content is not null then kept_content
    else ${wireRecordSql(list, tableColumnsOfList(list), 'coalesce(withdrawn_time, updated_time)')} end`;
  const [batch] = await queryRows(
    database,
    ScanRow,
    `select count(*) as found, string_agg(json, ',') as rows, (array_agg(change_revision))[count(*)::integer] as revision,
       (array_agg(id))[count(*)::integer] as id,
       exists (select from checkpoint where coalesce((revisions ->> $1)::bigint, 0) = $4) as "hasTarget"
     from (
       select change_revision, id, ${json} as json
       from (
         select listed.*, listed.revision as change_revision, kept.content as kept_content
         from ${list.key} as listed left join kept_record as kept on listed.revision > $4 and kept.list = $1
           and kept.record_id = listed.id and kept.from_revision <= $4 and kept.until_revision > $4
         cross join lateral (select case when listed.revision <= $4 then listed.revision else kept.from_revision end as version,
           case when listed.revision <= $4 then listed.withdrawn_time is not null else kept.is_withdrawn end as is_withdrawn) as aimed
         where (listed.revision, listed.id) > ($2, $3)
           and (not $5 or (aimed.version > $6 and ($7 or not aimed.is_withdrawn)))
         order by listed.revision, listed.id limit $8
       ) as changed
       order by change_revision, id
     ) as page`,
    [list.key, revision, id, target, isForward, low, high > 0, limit],
  );
  if (batch === undefined) throw new Error('An aggregate without a row');
  return batch;
}
