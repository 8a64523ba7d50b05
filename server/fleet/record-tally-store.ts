/**
 * Counts how many machines certainly miss each record, and what the fleet misses today. It serves the dashboard, so it may lag.
 */
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import type { FleetWork } from './fleet-work.ts';
import { firstOfChunk, machinesPerChunk } from './machine-number.ts';
import { readActiveExceptions } from './missing-exception-store.ts';
import { decodeNumbers } from './number-set.ts';
import { Bytes } from './waiting-set-store.ts';

const dayMs = 24 * 3_600_000;

const ClientRow = z.object({ client_id: z.number(), last_number: z.number() });
const ChunkRow = z.object({ sets: Bytes.nullable() });
const MissingRow = z.object({ part_id: z.number(), missing: z.array(z.number()) });

/** Reads all partitions, one chunk of a client's machines at a time. */
export async function tallyRecords(parts: FleetWork): Promise<void> {
  const { database, signal, keepLease, clock } = parts;
  const now = clock();
  const exceptions = await readActiveExceptions(database, now);
  const lacking = await readMissingOfParts(database);
  const totals = new Map<number, number>();
  const clients = await queryRows(
    database,
    ClientRow,
    'select client_id, last_number from fleet_client order by client_id',
  );
  for (const { client_id: clientId, last_number } of clients)
    for (let chunk = 0; chunk * machinesPerChunk < last_number; chunk += 1) {
      signal.throwIfAborted();
      const first = firstOfChunk(clientId, chunk);
      const counts = countChunk(
        await readSetsOfChunk(database, clientId, chunk),
        lacking,
        exceptions.isEmpty
          ? null
          : (number, missingId) => exceptions.covers(clientId, first + number, missingId),
      );
      for (const [missingId, count] of counts)
        totals.set(missingId, (totals.get(missingId) ?? 0) + count);
    }
  await database.transaction(async (tx) => {
    await keepLease(tx);
    await tx.query(
      `update missing_record set machines = coalesce(counted.machines, 0) from missing_record as own
       left join unnest($1::int[], $2::int[]) as counted(id, machines) on counted.id = own.id
       where missing_record.id = own.id and missing_record.machines <> coalesce(counted.machines, 0)`,
      [arrayText([...totals.keys()]), arrayText([...totals.values()])],
    );
    await tx.query(fleetDaySql, [Math.floor(now / dayMs) * dayMs]);
    await tx.query('update fleet_worker set tally_due = false, tallied_on = $1', [now]);
  });
}

async function readMissingOfParts(
  database: Queryable,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await queryRows(
    database,
    MissingRow,
    `select part_id, json_agg(missing_id) as missing from part_missing where state = 'missing' group by part_id`,
  );
  return new Map(rows.map((row) => [row.part_id, row.missing]));
}

interface SetOfChunk {
  readonly partId: number;
  readonly numbers: readonly number[];
}

/** Reads all sets as one value: part id, length and bytes of each set. Tens of thousands of rows take longer to read. */
async function readSetsOfChunk(
  database: Queryable,
  clientId: number,
  chunk: number,
): Promise<readonly SetOfChunk[]> {
  const [row] = await queryRows(
    database,
    ChunkRow,
    `select string_agg(int4send(part_id) || int4send(length(machines)) || machines, '') as sets
     from part_machines where client_id = $1 and chunk = $2`,
    [clientId, chunk],
  );
  const bytes = row?.sets ?? new Uint8Array();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sets: SetOfChunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 8 + view.getInt32(at + 4);
    sets.push({ partId: view.getInt32(at), numbers: decodeNumbers(bytes.subarray(at + 8, end)) });
    at = end;
  }
  return sets;
}

/**
 * Returns by missing record how many machines of the chunk miss it.
 * @param isAccepted Null when no record is accepted.
 */
function countChunk(
  sets: readonly SetOfChunk[],
  lacking: ReadonlyMap<number, readonly number[]>,
  isAccepted: ((number: number, missingId: number) => boolean) | null,
): ReadonlyMap<number, number> {
  const marks = new Map<number, Uint8Array>();
  const counts = new Map<number, number>();
  for (const { partId, numbers } of sets)
    for (const missingId of lacking.get(partId) ?? []) {
      let marked = marks.get(missingId);
      if (marked === undefined) marks.set(missingId, (marked = new Uint8Array(machinesPerChunk)));
      let count = counts.get(missingId) ?? 0;
      for (const number of numbers) {
        if (marked[number] === 1) continue;
        marked[number] = 1;
        if (isAccepted?.(number, missingId) !== true) count += 1;
      }
      counts.set(missingId, count);
    }
  return counts;
}

const fleetDaySql = `insert into fleet_day (day, client_id, machines, machines_missing, machines_exploited, missing, missing_critical, missing_important, missing_exploited)
  select $1, client_id, count(*), count(*) filter (where missing > 0), count(*) filter (where missing_exploited > 0),
    coalesce(sum(missing), 0), coalesce(sum(missing_critical), 0), coalesce(sum(missing_important), 0), coalesce(sum(missing_exploited), 0)
  from machine_standing group by client_id
  on conflict (day, client_id) do update set machines = excluded.machines, machines_missing = excluded.machines_missing,
    machines_exploited = excluded.machines_exploited, missing = excluded.missing, missing_critical = excluded.missing_critical,
    missing_important = excluded.missing_important, missing_exploited = excluded.missing_exploited`;
