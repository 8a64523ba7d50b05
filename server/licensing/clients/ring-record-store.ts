/** Reads which records rings decline, and how a ring has one record. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { query } from '../../platform/database/sql-statement.ts';
import { ringStatusSql } from '../../records/checkpoints/ring-status-store.ts';

const DeclinedRow = z.object({ ring: z.number(), list: z.string(), count: z.number() });

/** Numbers of listed records that a ring declines, by list. */
export type DeclinedRecords = (ring: number | null, list: string) => number;

export async function readDeclined(database: Queryable): Promise<DeclinedRecords> {
  const rows = await query.rows(database, DeclinedRow)`
    select ring_id as ring, decided.list, count(*) as count
    from ring_record as decided join stored_record as stored on stored.id = decided.record_id
    where decision = 'declined' and withdrawn_time is null group by 1, 2`;
  const counts = new Map(rows.map(({ ring, list, count }) => [`${ring} ${list}`, count]));
  return (ring, list) => counts.get(`${ring} ${list}`) ?? 0;
}

const RecordInRing = z.object({
  ring: z.number(),
  isDeclined: z.boolean(),
  passes: z.boolean(),
  /** The revision at which the ring's checkpoint has the list. */
  target: z.number(),
  /** The revisions of the ring's decisions and of risk from which on a client that has heard of them has the record as the ring has it. */
  decisions: z.number(),
  risk: z.number(),
});
export type RecordInRing = Readonly<z.infer<typeof RecordInRing>>;

/** Returns by the ring how each ring has a record. */
export async function readRecordInRings(
  database: Queryable,
  id: number,
): Promise<ReadonlyMap<number, RecordInRing>> {
  const rows = await queryRows(
    database,
    RecordInRing,
    `select own.id as ring, status.is_declined as "isDeclined", status.passes,
       coalesce((checkpoint.revisions ->> stored.list)::bigint, 0) as target,
       greatest(decided.revision, case when decided.decision is null and own.passes_exploited then own.exploited_revision end, 0) as decisions,
       case when status.passes and decided.decision is null then risk.revision else 0 end as risk
     from ring as own join checkpoint on checkpoint.id = own.checkpoint_id cross join stored_record as stored
     ${ringStatusSql('stored', 'own.id')}
     where stored.id = $1`,
    [id],
  );
  return new Map(rows.map((row) => [row.ring, row]));
}
