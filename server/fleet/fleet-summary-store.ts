/** Sums up machines: of one client, and of all, with the updates that most machines have to install and the trend. */
import { ClientMachines, FleetSummary } from '@patch/contract/machine-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';

const sums = `count(*) as machines, count(*) filter (where missing > 0) as "machinesMissing",
  count(*) filter (where missing_exploited > 0) as "machinesExploited", count(*) filter (where not_judged) as "notJudged",
  coalesce(sum(missing), 0)::bigint as missing, coalesce(sum(missing_critical), 0)::bigint as "missingCritical",
  coalesce(sum(missing_important), 0)::bigint as "missingImportant", coalesce(sum(missing_exploited), 0)::bigint as "missingExploited",
  coalesce(sum(accepted), 0)::bigint as accepted, max(last_seen) as "lastSeen"`;

export async function readClientMachines(
  database: Queryable,
  clientId: number,
): Promise<ClientMachines> {
  const [row] = await queryRows(
    database,
    ClientMachines,
    `select ${sums} from machine_standing where client_id = $1`,
    [clientId],
  );
  if (row === undefined) throw new Error('A count has one row');
  return row;
}

const trendDays = 30;

/** Reads all partitions. */
export async function readFleetSummary(database: Queryable): Promise<FleetSummary> {
  const [total] = await queryRows(database, ClientMachines, `select ${sums} from machine_standing`);
  if (total === undefined) throw new Error('A count has one row');
  const { accepted: _accepted, lastSeen: _lastSeen, ...counts } = total;
  const records = await queryRows(
    database,
    FleetSummary.shape.records.element,
    `select top.list, top.record_id as "recordId", identifier, title, top.severity, top.exploited, machines
     from (select list, record_id, severity, exploited, missing_record.machines from missing_record
       join missing_closer on missing_id = id and step_id = id order by missing_record.machines desc, id limit 10) as top
     join all_patches on all_patches.list = top.list and all_patches.record_id = top.record_id
     order by machines desc, top.list, top.record_id`,
  );
  const trend = await queryRows(
    database,
    FleetSummary.shape.trend.element,
    `select * from (select day, sum(machines)::bigint as machines, sum(machines_missing)::bigint as "machinesMissing",
       sum(missing_critical)::bigint as "missingCritical", sum(missing_exploited)::bigint as "missingExploited"
       from fleet_day group by day order by day desc limit ${trendDays}) as newest order by day`,
  );
  const [worker] = await queryRows(
    database,
    z.object({ tallied_on: z.number() }),
    'select tallied_on from fleet_worker',
  );
  const talliedOn = worker?.tallied_on ?? 0;
  return { ...counts, records: [...records], trend: [...trend], talliedOn: talliedOn || null };
}
