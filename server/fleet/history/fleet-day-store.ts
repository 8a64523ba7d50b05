/** Stores what machines missed on each day: those of each fleet, and those of each group with criteria. A day without a tally has no rows. */
import { z } from 'zod';
import { arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import type { StoredGroup } from '../groups/machine-group-store.ts';

export const dayMs = 86_400_000;
export const toDay = (time: number): number => Math.floor(time / dayMs) * dayMs;

const Standing = z.object({
  id: z.number(),
  isJudged: z.boolean(),
  missing: z.number(),
  critical: z.number(),
  important: z.number(),
  exploited: z.number(),
});
export type MachineOfDay = z.infer<typeof Standing>;

/** Returns all machines. Reads all partitions. */
export const readMachinesOfDay = (database: Queryable) =>
  query.rows(database, Standing)`
    select id, judged_on is not null and not not_judged as "isJudged", coalesce(missing, 0) as missing,
      coalesce(missing_critical, 0) as critical, coalesce(missing_important, 0) as important, coalesce(missing_exploited, 0) as exploited
    from machine_standing`;

/** Returns the ids of clients and groups that machines report to, or once did: a fleet without machines has a day of zeros. */
export const readFleets = (database: Queryable) =>
  query.values(database, z.number())`
    select client_id from fleet_client union select id from machine_group where criteria is null`;

/** The counts of a day. */
export interface FleetDay {
  /** A client or a group. */
  readonly clientId: number;
  readonly criteria: string | null;
  readonly machines: number;
  readonly machinesMissing: number;
  readonly machinesExploited: number;
  readonly machinesUnjudged: number;
  readonly machinesOverdue: number;
  readonly missing: number;
  readonly critical: number;
  readonly important: number;
  readonly exploited: number;
}

export async function writeFleetDays(
  tx: Queryable,
  day: number,
  days: readonly FleetDay[],
): Promise<void> {
  await tx.query(
    `insert into fleet_day (day, client_id, criteria, machines, machines_missing, machines_exploited, machines_unjudged, machines_overdue,
       missing, missing_critical, missing_important, missing_exploited)
     select $1::bigint, * from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
       $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[])
     on conflict (day, client_id) do update set criteria = excluded.criteria, machines = excluded.machines,
       machines_missing = excluded.machines_missing, machines_exploited = excluded.machines_exploited,
       machines_unjudged = excluded.machines_unjudged, machines_overdue = excluded.machines_overdue, missing = excluded.missing,
       missing_critical = excluded.missing_critical, missing_important = excluded.missing_important,
       missing_exploited = excluded.missing_exploited`,
    [
      day,
      ...arrayTexts(
        days,
        'clientId',
        'criteria',
        'machines',
        'machinesMissing',
        'machinesExploited',
        'machinesUnjudged',
        'machinesOverdue',
        'missing',
        'critical',
        'important',
        'exploited',
      ),
    ],
  );
}

const KeptDay = z.object({
  day: z.number(),
  machines: z.number(),
  machinesMissing: z.number(),
  machinesExploited: z.number(),
  /** Null: not counted on that day. */
  machinesUnjudged: z.number().nullable(),
  machinesOverdue: z.number().nullable(),
  /** False: counted by other criteria than the group has now. */
  present: z.boolean(),
});
export type KeptDay = z.infer<typeof KeptDay>;

/** A sum over fleets is unknown when one of them was not counted. */
const sumOrNull = (column: string) =>
  sql.raw(`case when count(${column}) = count(*) then sum(${column})::bigint end`);

/** Returns the kept days from one on, in their order. @param group Null: all machines. */
export const readKeptDays = (
  database: Queryable,
  group: Pick<StoredGroup, 'id' | 'criteria'> | null,
  from: number,
) =>
  query.rows(database, KeptDay)`
    select day, sum(machines)::bigint as machines, sum(machines_missing)::bigint as "machinesMissing",
      sum(machines_exploited)::bigint as "machinesExploited", ${sumOrNull('machines_unjudged')} as "machinesUnjudged",
      ${sumOrNull('machines_overdue')} as "machinesOverdue",
      bool_and(criteria is not distinct from ${group?.criteria ?? null}::text) as present
    from fleet_day where day >= ${from} and ${group === null ? sql`criteria is null` : sql`client_id = ${group.id}`}
    group by day order by day`;
