/** Database access of the tally of missing records. */
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const dayMs = 24 * 3_600_000;

const MissingRow = z.object({ part_id: z.number(), missing: z.array(z.number()) });

/** Returns the ids of the records that each part certainly misses. */
export async function readMissingOfParts(
  database: Queryable,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await queryRows(
    database,
    MissingRow,
    `select part_id, json_agg(missing_id) as missing from part_missing where state = 'missing' group by part_id`,
  );
  return new Map(rows.map((row) => [row.part_id, row.missing]));
}

interface Tally {
  /** Machines by missing record. */
  readonly machines: ReadonlyMap<number, number>;
  /** Machines by missing record and step. */
  readonly closers: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

/** Writes only what has changed. */
export async function writeTally(
  tx: Queryable,
  { machines, closers }: Tally,
  now: number,
): Promise<void> {
  await tx.query(
    `update missing_record set machines = coalesce(counted.machines, 0) from missing_record as own
     left join unnest($1::int[], $2::int[]) as counted(id, machines) on counted.id = own.id
     where missing_record.id = own.id and missing_record.machines <> coalesce(counted.machines, 0)`,
    [arrayText([...machines.keys()]), arrayText([...machines.values()])],
  );
  const pairs = [...closers].flatMap(([missingId, steps]) =>
    Array.from(steps, ([stepId, count]) => ({ missingId, stepId, count })),
  );
  const ids = arrayTexts(pairs, 'missingId', 'stepId');
  await tx.query(
    `delete from missing_closer where (missing_id, step_id) not in (select * from unnest($1::int[], $2::int[]))`,
    ids,
  );
  await tx.query(
    `insert into missing_closer as known (missing_id, step_id, machines) select * from unnest($1::int[], $2::int[], $3::int[])
     on conflict (missing_id, step_id) do update set machines = excluded.machines where known.machines <> excluded.machines`,
    arrayTexts(pairs, 'missingId', 'stepId', 'count'),
  );
  await tx.query(fleetDaySql, [Math.floor(now / dayMs) * dayMs]);
  await tx.query('update fleet_worker set tally_due = false, tallied_on = $1', [now]);
}

const fleetDaySql = `insert into fleet_day (day, client_id, machines, machines_missing, machines_exploited, missing, missing_critical, missing_important, missing_exploited)
  select $1, client_id, count(*), count(*) filter (where missing > 0), count(*) filter (where missing_exploited > 0),
    coalesce(sum(missing), 0), coalesce(sum(missing_critical), 0), coalesce(sum(missing_important), 0), coalesce(sum(missing_exploited), 0)
  from machine_standing group by client_id
  on conflict (day, client_id) do update set machines = excluded.machines, machines_missing = excluded.machines_missing,
    machines_exploited = excluded.machines_exploited, missing = excluded.missing, missing_critical = excluded.missing_critical,
    missing_important = excluded.missing_important, missing_exploited = excluded.missing_exploited`;
