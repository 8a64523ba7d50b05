/** Database access for counting what machines miss: the data to count, and the counts. */

import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { missingStates } from '@patch/catalogue/fleet/missing-finding.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { raiseRevision } from '../../platform/database/rows/list-revision-store.ts';
import { keysOfMachines, machinesOfIds } from '../machines/machines-of-ids-store.ts';
import { NumberSet } from '../parts/number-set.ts';
import { addCriticalEvents, criticalBefore } from './critical-event-store.ts';

/** The counts of one machine. */
export interface MachineCounts {
  missing: number;
  critical: number;
  important: number;
  moderate: number;
  low: number;
  unspecified: number;
  exploited: number;
  uncertain: number;
  needsSubscription: number;
  accepted: number;
  notJudged: boolean;
}

const MachineRow = z.object({
  clientId: z.number(),
  id: z.number(),
  /** The hash of the report that has these parts. */
  reportHash: z.string(),
  parts: NumberSet,
});
export type MachineToCount = z.infer<typeof MachineRow>;

const machineColumns =
  'machine.client_id as "clientId", machine.id, report_hash as "reportHash", parts';

/** Returns the next machines after `after`, by client and id. Reads all partitions: machines of all clients wait together. */
type NextMachines = (
  database: Queryable,
  after: Pick<MachineToCount, 'clientId' | 'id'>,
  limit: number,
) => Promise<readonly MachineToCount[]>;

/** @param sql A query with the parameters client id, machine id and limit. */
const nextMachines =
  (sql: string): NextMachines =>
  (database, { clientId, id }, limit) =>
    queryRows(database, MachineRow, sql, [clientId, id, limit]);

/** Reads the machines that were reported since they were counted. */
export const readReportedMachines = nextMachines(
  `select ${machineColumns} from machine_standing
   join machine on machine.client_id = machine_standing.client_id and machine.id = machine_standing.id
   where counted_hash is null and (machine_standing.client_id, machine_standing.id) > ($1::bigint, $2::bigint)
   order by machine_standing.client_id, machine_standing.id limit $3`,
);

/** Reads all machines. */
export const readMachinesInOrder = nextMachines(
  `select ${machineColumns} from machine
   where (client_id, id) > ($1::bigint, $2::bigint) order by client_id, id limit $3`,
);

export const readMachinesToCount = (
  database: Queryable,
  ids: readonly number[],
): Promise<readonly MachineToCount[]> =>
  queryRows(
    database,
    MachineRow,
    `select ${machineColumns} from ${machinesOfIds}`,
    keysOfMachines(ids),
  );

const PartToCount = z.object({
  partId: z.number(),
  /** How often the part was marked. */
  times: z.number(),
});
export type PartToCount = z.infer<typeof PartToCount>;

/** Returns the parts whose machines must be counted again. */
export const readPartsToCount = (
  database: Queryable,
  limit: number,
): Promise<readonly PartToCount[]> =>
  queryRows(
    database,
    PartToCount,
    'select part_id as "partId", times from part_to_count order by part_id limit $1',
    [limit],
  );

/** Removes the marks. Parts that were marked again meanwhile stay marked. */
export async function endPartsToCount(tx: Queryable, parts: readonly PartToCount[]): Promise<void> {
  await tx.query(
    `delete from part_to_count using unnest($1::int[], $2::bigint[]) as counted(part_id, times)
     where part_to_count.part_id = counted.part_id and part_to_count.times = counted.times`,
    arrayTexts(parts, 'partId', 'times'),
  );
  await tx.query('update fleet_worker set tally_due = true where not tally_due');
}

export interface PartStanding {
  readonly judged: boolean;
  /** Null for applications, which do not decide whether the machine is judged. */
  readonly catalogued: boolean | null;
  readonly missing: readonly {
    readonly missingId: number;
    /** The index in `missingStates`. */
    readonly state: number;
  }[];
}

const StandingRow = z.object({
  id: z.number(),
  judged: z.boolean(),
  catalogued: z.boolean().nullable(),
  /** Ids and states alternate in one text: arrays of tens of thousands of parts take longer to read. */
  missing: z.string().nullable(),
});

const standingSql = `select inventory_part.id, judged,
    case when inventory_part.kind = 'applications' then null else coalesce(catalogued, false) end as catalogued, missing
  from inventory_part
  left join judged_scope on judged_scope.kind = inventory_part.kind and judged_scope.scope = inventory_part.scope
  left join lateral (select string_agg(missing_id || ' ' || array_position(array['${missingStates.join("', '")}'], state) - 1, ' ') as missing
    from part_missing where part_id = inventory_part.id) as own on true
  where inventory_part.id = any($1::int[])`;

const RecordStanding = z.object({
  severity: openWord<string>().nullable(),
  exploited: z.boolean(),
});
export type RecordStanding = z.infer<typeof RecordStanding>;

export async function readPartStandings(
  database: Queryable,
  parts: readonly number[],
): Promise<ReadonlyMap<number, PartStanding>> {
  const rows = await queryRows(database, StandingRow, standingSql, [arrayText(parts)]);
  return new Map(
    rows.map(({ id, judged, catalogued, missing }) => [
      id,
      { judged, catalogued, missing: missing === null ? [] : parseMissing(missing) },
    ]),
  );
}

function parseMissing(text: string): PartStanding['missing'] {
  const words = text.split(' ');
  return Array.from({ length: words.length / 2 }, (_, index) => ({
    missingId: Number(words[2 * index]),
    state: Number(words[2 * index + 1]),
  }));
}

export async function readRecordStandings(
  database: Queryable,
  missingIds: readonly number[],
): Promise<ReadonlyMap<number, RecordStanding>> {
  const rows = await queryRows(
    database,
    RecordStanding.extend({ id: z.number() }),
    'select id, severity, exploited from missing_record where id = any($1::int[])',
    [arrayText(missingIds)],
  );
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

export interface CountedMachine extends MachineCounts {
  readonly machine: Pick<MachineToCount, 'clientId' | 'id' | 'reportHash'>;
}

/**
 * Skips machines whose report has changed meanwhile: they are marked and counted again. A machine that is not judged has no
 * counts unless its applications have findings: 0 would mean that it misses nothing.
 */
export async function writeCounts(
  tx: Queryable,
  counted: readonly CountedMachine[],
  now: number,
): Promise<void> {
  await raiseRevision(tx, machineList, 0);
  await addCriticalEvents(tx, counted, now);
  const names = countColumns.map(([column]) => column);
  const at = names.map((_, index) => `$${index + 6}::bigint[]`);
  await tx.query(
    `update machine_standing set counted_hash = given.hash, judged_on = $5::bigint, not_judged = given.not_judged,
       critical_before = ${criticalBefore},
       ${names.map((name) => `${name} = case when given.not_judged and ${nothingFound} then null else given.${name} end`).join(', ')}
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::boolean[], ${at.join(', ')}) as given(client_id, id, hash, not_judged, ${names.join(', ')})
     join machine on machine.client_id = given.client_id and machine.id = given.id and machine.report_hash = given.hash
     where machine_standing.client_id = given.client_id and machine_standing.id = given.id`,
    [
      ...arrayTexts(
        counted.map(({ machine }) => machine),
        'clientId',
        'id',
        'reportHash',
      ),
      ...arrayTexts(counted, 'notJudged'),
      now,
      ...arrayTexts(counted, ...countColumns.map(([, name]) => name)),
    ],
  );
  await tx.query('update fleet_worker set tally_due = true where not tally_due');
}

const nothingFound =
  'given.missing + given.uncertain + given.needs_subscription + given.accepted = 0';

const countColumns = [
  ['missing', 'missing'],
  ['missing_critical', 'critical'],
  ['missing_important', 'important'],
  ['missing_moderate', 'moderate'],
  ['missing_low', 'low'],
  ['missing_unspecified', 'unspecified'],
  ['missing_exploited', 'exploited'],
  ['uncertain', 'uncertain'],
  ['needs_subscription', 'needsSubscription'],
  ['accepted', 'accepted'],
] as const satisfies readonly (readonly [string, keyof MachineCounts])[];
