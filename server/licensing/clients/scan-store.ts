/** Reads what brings the client of a ring to the list at the ring's checkpoint, in the order of the present rows. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { tableColumnsOfList } from '../../platform/database/rows/list-columns.ts';
import { wireRecordSql } from '../../platform/database/rows/wire-record.ts';
import { keptVersionSql, ringStatusSql } from '../../records/checkpoints/ring-status-store.ts';
import type { ChangeCursor, RingScan } from './change-cursor.ts';

export const ScanRow = z.object({
  /** JSON objects joined by commas; null when no row was found. */
  rows: z.string().nullable(),
  found: z.number(),
  /** Revision and id of the last row in the order of the present rows; null when no row was found. */
  revision: z.number().nullable(),
  id: z.number().nullable(),
  /** False when no checkpoint has the target any more, so that its versions may be gone. */
  hasTarget: z.boolean(),
  /** Whether records of the list are declined for the ring. */
  lacks: z.boolean(),
});

export const hasTargetSql =
  'exists (select from checkpoint where coalesce((revisions ->> $1)::bigint, 0) = $4)';
export const lacksSql =
  "exists (select from ring_decision where ring_id = $3 and list = $1 and decision = 'declined')";

/** Returns SQL of a row as the client gets it: in the version of the target, or of now if `isPresent`; otherwise to be deleted. */
export const aimedJsonSql = (list: ListDefinition, isPresent: string): string =>
  `case when ${isPresent} then ${wireRecordSql(list)} when kept_content is not null then kept_content
    else ${wireRecordSql(list, tableColumnsOfList(list), 'coalesce(withdrawn_time, updated_time)')} end`;

/** Returns SQL that joins the version at the target, as `kept`. */
export const keptSql = `${keptVersionSql('kept', 'listed', '$1', '$4')} and listed.revision > $4`;

/**
 * Returns the rows after the cursor that a client needs, at most `limit`. A record that changes meanwhile moves behind the cursor, where
 * its version at the target is the same as before, so that none is missed. One statement sees versions and checkpoints at one moment. Records
 * that are declined or pass in a newer version are left to `readNews`.
 */
export async function readScanBatch(
  database: Queryable,
  list: ListDefinition,
  { revision, id, scan, passes }: ChangeCursor & { readonly scan: RingScan },
  limit: number,
): Promise<z.infer<typeof ScanRow>> {
  const { low, high, target } = scan;
  const isForward = high <= target;
  const isDecided = passes !== undefined;
  const [batch] = await queryRows(
    database,
    ScanRow,
    `select count(*) as found, string_agg(json, ',') as rows, (array_agg(change_revision))[count(*)::integer] as revision,
       (array_agg(id))[count(*)::integer] as id, ${hasTargetSql} as "hasTarget", ${lacksSql} as lacks
     from (
       select change_revision, id, ${aimedJsonSql(list, 'change_revision <= $4')} as json
       from (
         select listed.*, listed.revision as change_revision, kept.content as kept_content
         from ${list.key} as listed ${keptSql} ${isDecided ? ringStatusSql('listed', '$3') : ''}
         cross join lateral (select case when listed.revision <= $4 then listed.revision else kept.from_revision end as version,
           case when listed.revision <= $4 then listed.withdrawn_time is not null else kept.is_withdrawn end as is_withdrawn) as aimed
         where (listed.revision, listed.id) > ($2, $9)
           and (not $5 or (aimed.version > $6 and ($7 or not aimed.is_withdrawn)))
           ${isDecided ? 'and not status.is_declined and not (status.passes and listed.revision > $4)' : ''}
         order by listed.revision, listed.id limit $8
       ) as changed
       order by change_revision, id
     ) as page`,
    [list.key, revision, passes?.ring ?? 0, target, isForward, low, high > 0, limit, id],
  );
  if (batch === undefined) throw new Error('An aggregate without a row');
  return batch;
}
