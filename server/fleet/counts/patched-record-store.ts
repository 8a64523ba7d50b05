/** Stores after how many days records were patched, and the parts of machines that reports replaced, from which it follows. */
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { ownJson } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { keysOfMachines, standingsOfIds } from '../machines/machines-of-ids-store.ts';
import type { MachineToCount } from './machine-count-store.ts';

/** The bands of due dates. */
export const patchBands = ['exploited', 'serious', 'others'] as const;
export type PatchBand = (typeof patchBands)[number];

const ReplacedRow = z.object({
  id: z.number(),
  parts: ownJson<readonly number[]>(),
  /** When the last report came that replaced one. */
  on: z.number(),
});
export type ReplacedParts = z.infer<typeof ReplacedRow>;

/** Returns the parts that reports have replaced since these machines were counted. */
export const readReplacedParts = (
  database: Queryable,
  ids: readonly number[],
): Promise<readonly ReplacedParts[]> =>
  queryRows(
    database,
    ReplacedRow,
    `select id, to_json(replaced_parts) as parts, replaced_on as on from ${standingsOfIds} where replaced_parts is not null`,
    keysOfMachines(ids),
  );

const PartRow = z.object({
  id: z.number(),
  subject: z.string(),
  names: ownJson<readonly string[]>(),
});
export type PartSubject = z.infer<typeof PartRow>;

/** Returns what parts are about: those of one subject with a common name, or without names, take the place of each other. */
export const readPartSubjects = (
  database: Queryable,
  parts: readonly number[],
): Promise<readonly PartSubject[]> =>
  queryRows(
    database,
    PartRow,
    `select id, kind || ' ' || scope as subject, to_json(names) as names from inventory_part where id = any($1::int[])`,
    [arrayText(parts)],
  );

const ClosedRow = z.object({
  id: z.number(),
  severity: z.string().nullable(),
  exploited: z.boolean(),
  /** The release, or when the catalogue knew the record where that is later. */
  from: z.number(),
});

/** Returns the facts by the ids of `missing_record`. Withdrawn records have none. */
export const readClosedRecords = (
  database: Queryable,
  missingIds: readonly number[],
): Promise<readonly z.infer<typeof ClosedRow>[]> =>
  queryRows(
    database,
    ClosedRow,
    `select missing_record.id, missing_record.severity, exploited, greatest(release_date, record.created_time) as from
     from missing_record join record using (list, record_id) where missing_record.id = any($1::int[])`,
    [arrayText(missingIds)],
  );

export interface PatchedRecords {
  readonly machineId: number;
  readonly day: number;
  readonly band: PatchBand;
  readonly days: number;
  readonly records: number;
}

/**
 * Stores the patched records of the machines whose replaced parts and reports are still these, and forgets the parts. A report that
 * came between the reading of both is counted next.
 */
export async function writePatched(
  tx: Queryable,
  machines: readonly Pick<MachineToCount, 'id' | 'reportHash'>[],
  replaced: readonly ReplacedParts[],
  patched: readonly PatchedRecords[],
): Promise<void> {
  if (replaced.length === 0) return;
  const hashes = new Map(machines.map(({ id, reportHash }) => [id, reportHash]));
  const rows = replaced.map(({ id, parts }) => ({
    id,
    clientId: clientOfMachine(id),
    parts: arrayText(parts),
    hash: hashes.get(id) ?? null,
  }));
  const taken = await queryRows(
    tx,
    z.object({ id: z.number() }),
    `update machine_standing as standing set replaced_parts = null, replaced_on = null
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) as given(client_id, id, parts, hash)
     join machine on machine.client_id = given.client_id and machine.id = given.id and machine.report_hash = given.hash
     where standing.client_id = given.client_id and standing.id = given.id and replaced_parts = given.parts::int[] returning standing.id`,
    arrayTexts(rows, 'clientId', 'id', 'parts', 'hash'),
  );
  const ids = new Set(taken.map(({ id }) => id));
  const own = patched
    .filter(({ machineId }) => ids.has(machineId))
    .map((one) => ({ ...one, clientId: clientOfMachine(one.machineId) }));
  await tx.query(
    `insert into machine_patched as known (client_id, machine_id, day, band, days, records)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::bigint[])
     on conflict (client_id, machine_id, day, band, days) do update set records = known.records + excluded.records`,
    arrayTexts(own, 'clientId', 'machineId', 'day', 'band', 'days', 'records'),
  );
}

const BandRow = z.object({
  band: z.enum(patchBands),
  records: z.number(),
  meanDays: z.number(),
  medianDays: z.number(),
});
export type PatchedBand = z.infer<typeof BandRow>;

/** Returns the bands with patched records, from the beginning of a day on. @param within The machines to count; null for all. */
export const readPatchedBands = (
  database: Queryable,
  within: ReadonlySet<number> | null,
  from: number,
): Promise<readonly PatchedBand[]> => {
  const which =
    within === null ? sql`true` : sql`machine_id = any(${arrayText([...within])}::bigint[])`;
  return query.rows(database, BandRow)`
    with kept as (select band, days, sum(records) as records from machine_patched where day >= ${from} and ${which} group by band, days),
      counted as (select *, sum(records) over (partition by band order by days) as reached, sum(records) over (partition by band) as total from kept)
    select band, max(total)::bigint as records, (sum(days * records) / max(total))::float8 as "meanDays",
      ((min(days) filter (where 2 * reached >= total) + min(days) filter (where 2 * reached > total)) / 2.0)::float8 as "medianDays"
    from counted group by band`;
};

/** Returns since when patched records are kept. */
export const readPatchedSince = (database: Queryable) =>
  query.requiredValue(database, z.number())`select patched_since from fleet_worker`;
