/** How many machines certainly miss each record, and what the fleet misses today: for the dashboard, and therefore not at once. */
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import type { FleetWork } from './fleet-work.ts';
import { machineId, machinesAChunk } from './machine-number.ts';
import { activeExceptions } from './missing-exception-store.ts';
import { decodeNumbers } from './number-set.ts';
import { Bytes } from './part-machines-store.ts';

const day = 24 * 3_600_000;

const ChunkRow = z.object({ client_id: z.number(), chunk: z.number() });
const SetRow = z.object({ part_id: z.number(), machines: Bytes });
const MissingRow = z.object({ part_id: z.number(), missing: z.array(z.number()) });

/** Reads all partitions, a chunk of machines of one client at a time. */
export async function tallyRecords(parts: FleetWork): Promise<void> {
  const { database, signal, keepLease, clock } = parts;
  const now = clock();
  const exceptions = await activeExceptions(database, now);
  const missing = new Map(
    (
      await queryRows(
        database,
        MissingRow,
        `select part_id, json_agg(missing_id) as missing from part_missing where state = 'missing' group by part_id`,
      )
    ).map((row) => [row.part_id, row.missing]),
  );
  const totals = new Map<number, number>();
  const chunks = await queryRows(
    database,
    ChunkRow,
    'select distinct client_id, chunk from part_machines order by client_id, chunk',
  );
  for (const { client_id, chunk } of chunks) {
    signal.throwIfAborted();
    const sets = await queryRows(
      database,
      SetRow,
      `select part_id, machines from part_machines where client_id = $1 and chunk = $2
         and exists (select from part_missing where part_missing.part_id = part_machines.part_id and state = 'missing')`,
      [client_id, chunk],
      'yielding',
    );
    const lacking = lackingMachines(sets, missing);
    for (const [missingId, machines] of lacking) {
      const first = machineId(client_id, chunk * machinesAChunk);
      const open = machines.filter(
        (number) => !exceptions.covers(client_id, first + number, missingId),
      );
      totals.set(missingId, (totals.get(missingId) ?? 0) + open.length);
    }
  }
  await database.transaction(async (tx) => {
    await keepLease(tx);
    await tx.query(
      `update missing_record set machines = coalesce(counted.machines, 0) from missing_record as own
       left join unnest($1::int[], $2::int[]) as counted(id, machines) on counted.id = own.id
       where missing_record.id = own.id and missing_record.machines <> coalesce(counted.machines, 0)`,
      [arrayText([...totals.keys()]), arrayText([...totals.values()])],
    );
    await tx.query(fleetDaySql, [Math.floor(now / day) * day]);
    await tx.query('update fleet_worker set tally_due = false, tallied_on = $1', [now]);
  });
}

/** By missing record, the numbers of machines within the chunk, each once. */
function lackingMachines(
  sets: readonly z.infer<typeof SetRow>[],
  missing: ReadonlyMap<number, readonly number[]>,
): ReadonlyMap<number, readonly number[]> {
  const marks = new Map<number, Uint8Array>();
  for (const { part_id, machines } of sets) {
    const numbers = decodeNumbers(machines);
    for (const missingId of missing.get(part_id) ?? []) {
      const marked = marks.get(missingId) ?? new Uint8Array(machinesAChunk);
      for (const number of numbers) marked[number] = 1;
      marks.set(missingId, marked);
    }
  }
  return new Map(
    [...marks].map(([missingId, marked]) => [
      missingId,
      Array.from(marked.keys()).filter((number) => marked[number] === 1),
    ]),
  );
}

const fleetDaySql = `insert into fleet_day (day, client_id, machines, machines_missing, machines_exploited, missing, missing_critical, missing_important, missing_exploited)
  select $1, client_id, count(*), count(*) filter (where missing > 0), count(*) filter (where missing_exploited > 0),
    coalesce(sum(missing), 0), coalesce(sum(missing_critical), 0), coalesce(sum(missing_important), 0), coalesce(sum(missing_exploited), 0)
  from machine_standing group by client_id
  on conflict (day, client_id) do update set machines = excluded.machines, machines_missing = excluded.machines_missing,
    machines_exploited = excluded.machines_exploited, missing = excluded.missing, missing_critical = excluded.missing_critical,
    missing_important = excluded.missing_important, missing_exploited = excluded.missing_exploited`;
