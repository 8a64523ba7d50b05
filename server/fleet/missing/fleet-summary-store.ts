/**
 * Sums up machines: of one client, and of all, with the updates that most machines have to install and the trend; and of one record or CVE,
 * with the machines that miss it. Reads all partitions.
 */

import {
  ClientMachines,
  FleetSummary,
  MachineOfRecord,
  type RecordMachines,
} from '@patch/contract/fleet/machine-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import type { MachinePolicies } from '../due/machine-policies.ts';
import { keysOfMachines, machinesOfIds } from '../machines/machines-of-ids-store.ts';
import { countExposure } from './machine-exposure-store.ts';
import { findMissedRecord, readMissesValues } from './missed-record-store.ts';
import { readMachinesOfMissing } from './missing-marks-store.ts';
import { countWithin, findOverdueMachines } from './overdue-machines.ts';

/** Machines that were reported and never judged. They have an index, because few are. */
const waiting = `from machine_standing join machine using (client_id, id) where counted_hash is null and judged_on is null`;

/** SQL of the sums of machines. `which` is a condition on them. */
const sumsSql = (which: string) => `select ${sums},
    (select count(*) ${waiting} and ${which}) as "beingJudged",
    (select min(machine.created_time) ${waiting} and ${which}) as "beingJudgedSince"
  from machine_standing where ${which}`;

const sums = `count(*) as machines, count(*) filter (where missing > 0) as "machinesMissing",
  count(*) filter (where missing_exploited > 0) as "machinesExploited", count(*) filter (where not_judged) as "notJudged",
  coalesce(sum(missing), 0)::bigint as missing, coalesce(sum(missing_critical), 0)::bigint as "missingCritical",
  coalesce(sum(missing_important), 0)::bigint as "missingImportant", coalesce(sum(missing_exploited), 0)::bigint as "missingExploited",
  coalesce(sum(accepted), 0)::bigint as accepted, max(last_seen) as "lastSeen"`;

export async function readClientMachines(
  database: Queryable,
  clientId: number,
): Promise<ClientMachines> {
  const [row] = await queryRows(database, ClientMachines, sumsSql('client_id = $1'), [clientId]);
  if (row === undefined) throw new Error('A count has one row');
  return row;
}

const trendDays = 30;

interface SummaryOptions {
  readonly now: number;
  readonly policies: MachinePolicies;
}

/** Returns the machines that miss an overdue record. */
export const findAllOverdue = async (
  database: Queryable,
  { policies, now }: SummaryOptions,
): Promise<ReadonlySet<number>> =>
  findOverdueMachines(
    database,
    policies,
    await queryValues(database, z.number(), 'select id from missing_record'),
    now,
  );

/** Sums up the machines with these ids, or all with null. Reads all partitions. */
export async function readMachineSums(
  database: Queryable,
  within: ReadonlySet<number> | null,
  options: SummaryOptions,
): Promise<Omit<FleetSummary, 'records' | 'trend' | 'talliedOn'>> {
  const which = within === null ? 'true' : 'machine_standing.id = any($1::bigint[])';
  const values = within === null ? [] : [arrayText([...within])];
  const [total] = await queryRows(database, ClientMachines, sumsSql(which), values);
  if (total === undefined) throw new Error('A count has one row');
  const { accepted: _accepted, lastSeen: _lastSeen, ...counts } = total;
  const overdue = await findAllOverdue(database, options);
  return { ...counts, machinesOverdue: countWithin(overdue, within) };
}

/** Reads all partitions. */
export async function readFleetSummary(
  database: Queryable,
  options: SummaryOptions,
): Promise<FleetSummary> {
  const counts = await readMachineSums(database, null, options);
  const records = await readMostMissed(database, options.now);
  const trend = await queryRows(
    database,
    FleetSummary.shape.trend.element,
    `select * from (select day, sum(machines)::bigint as machines, sum(machines_missing)::bigint as "machinesMissing",
       sum(missing_critical)::bigint as "missingCritical", sum(missing_exploited)::bigint as "missingExploited"
       from fleet_day where criteria is null group by day order by day desc limit ${trendDays}) as newest order by day`,
  );
  const [talliedOn = 0] = await queryValues(
    database,
    z.number(),
    'select tallied_on from fleet_worker',
  );
  return { ...counts, records, trend: [...trend], talliedOn: talliedOn || null };
}

const MissedRow = FleetSummary.shape.records.element.omit({ machines: true, misses: true });

/** Ranks by the last tally. The numbers are those of the lists that they link to. */
async function readMostMissed(database: Queryable, now: number): Promise<FleetSummary['records']> {
  const rows = await queryRows(
    database,
    MissedRow,
    `select top.list, top.record_id as "recordId", identifier, title, top.severity, top.exploited
     from (select list, record_id, severity, exploited, missing_record.machines from missing_record
       join missing_closer on missing_id = id and step_id = id order by missing_record.machines desc, id limit 10) as top
     join all_patches on all_patches.list = top.list and all_patches.record_id = top.record_id
     order by machines desc, top.list, top.record_id`,
  );
  return countMissedRecords(database, rows, now);
}

type MissedRecord = Omit<FleetSummary['records'][number], 'machines' | 'misses'>;

/** Returns the records that machines miss with the number of these, the most first. @param within The machines to count; null for all. */
export async function countMissedRecords(
  database: Queryable,
  rows: readonly MissedRecord[],
  now: number,
  within: ReadonlySet<number> | null = null,
): Promise<FleetSummary['records']> {
  const values = await readMissesValues(database, rows);
  const records: FleetSummary['records'] = [];
  for (const [index, row] of rows.entries()) {
    const marks = await readMachinesOfMissing(database, await findMissedRecord(database, row), now);
    const { missing } = marks.count(within);
    if (missing > 0) records.push({ ...row, machines: missing, misses: values[index] ?? '' });
  }
  return records.toSorted((a, b) => b.machines - a.machines);
}

const ShownRow = MachineOfRecord.omit({ state: true, accepted: true });

export async function readMachinesMissing(
  database: Queryable,
  record: { readonly list: string; readonly recordId: number },
  {
    offset,
    size,
    ...options
  }: SummaryOptions & {
    readonly offset: number;
    readonly size: number;
    /** The machines to show and to count; null: all. */
    readonly within: ReadonlySet<number> | null;
  },
): Promise<RecordMachines> {
  const missingIds = await findMissedRecord(database, record);
  const marks = await readMachinesOfMissing(database, missingIds, options.now);
  const machines = marks.machines().filter(({ id }) => options.within?.has(id) !== false);
  const page = machines.slice(offset, offset + size);
  const rows = await readShownMachines(
    database,
    page.map(({ id }) => id),
  );
  const [misses = ''] = await readMissesValues(database, [record]);
  return {
    objList: page.flatMap(({ id, state, standing }) => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ ...row, state, accepted: standing === 'accepted' }];
    }),
    totalCount: machines.length,
    ...(await countExposure(
      database,
      marks,
      { missingIds, wanted: { names: [], references: [record] } },
      options,
    )),
    misses,
  };
}

async function readShownMachines(database: Queryable, ids: readonly number[]) {
  const rows = await queryRows(
    database,
    ShownRow,
    `select machine.id, name, machine_key as "machineKey", machine.client_id as "clientId", client, platform, release, last_seen as "lastSeen"
     from ${machinesOfIds} join machine_standing using (client_id, id)`,
    keysOfMachines(ids),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
