/** Which machines have a part: numbers within chunks of machines of one client. Written with the machines, in their transaction. */
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { chunkOfMachine, machinesOfChunk, numberInChunk } from './machine-number.ts';
import { decodeNumbers, encodeNumbers } from './number-set.ts';

export const Bytes = z.instanceof(Uint8Array);

/** A machine that has other parts than before. */
export interface ChangedParts {
  readonly machineId: number;
  readonly gained: readonly number[];
  readonly lost: readonly number[];
}

const SetRow = z.object({ part_id: z.number(), chunk: z.number(), machines: Bytes });

/** Call with the client's row of fleet_client locked, so that no other writer changes its sets meanwhile. */
export async function changePartMachines(
  tx: Queryable,
  clientId: number,
  changes: readonly ChangedParts[],
): Promise<void> {
  const touched = new Map<string, { partId: number; chunk: number; numbers: Set<number> }>();
  const keyOf = (partId: number, chunk: number) => `${partId} ${chunk}`;
  for (const { machineId, gained, lost } of changes)
    for (const partId of [...gained, ...lost]) {
      const chunk = chunkOfMachine(machineId);
      touched.set(keyOf(partId, chunk), { partId, chunk, numbers: new Set() });
    }
  if (touched.size === 0) return;
  const asked = [...touched.values()];
  const stored = await queryRows(
    tx,
    SetRow,
    `select part_id, chunk, machines from part_machines
     where client_id = $1 and (part_id, chunk) in (select * from unnest($2::int[], $3::int[]))`,
    [
      clientId,
      arrayText(asked.map(({ partId }) => partId)),
      arrayText(asked.map(({ chunk }) => chunk)),
    ],
  );
  for (const { part_id, chunk, machines } of stored) {
    const found = touched.get(keyOf(part_id, chunk));
    for (const number of decodeNumbers(machines)) found?.numbers.add(number);
  }
  for (const { machineId, gained, lost } of changes) {
    const chunk = chunkOfMachine(machineId);
    const number = numberInChunk(machineId);
    for (const partId of lost) touched.get(keyOf(partId, chunk))?.numbers.delete(number);
    for (const partId of gained) touched.get(keyOf(partId, chunk))?.numbers.add(number);
  }
  const kept = asked.filter(({ numbers }) => numbers.size > 0);
  const emptied = asked.filter(({ numbers }) => numbers.size === 0);
  await writeSets(tx, clientId, kept);
  if (emptied.length > 0)
    await tx.query(
      `delete from part_machines where client_id = $1 and (part_id, chunk) in (select * from unnest($2::int[], $3::int[]))`,
      [
        clientId,
        arrayText(emptied.map(({ partId }) => partId)),
        arrayText(emptied.map(({ chunk }) => chunk)),
      ],
    );
}

async function writeSets(
  tx: Queryable,
  clientId: number,
  sets: readonly {
    readonly partId: number;
    readonly chunk: number;
    readonly numbers: Set<number>;
  }[],
): Promise<void> {
  if (sets.length === 0) return;
  await tx.query(
    `insert into part_machines (client_id, part_id, chunk, machines)
     select $1::bigint, part_id, chunk, decode(machines, 'base64') from unnest($2::int[], $3::int[], $4::text[]) as kept(part_id, chunk, machines)
     on conflict (part_id, client_id, chunk) do update set machines = excluded.machines`,
    [
      clientId,
      arrayText(sets.map(({ partId }) => partId)),
      arrayText(sets.map(({ chunk }) => chunk)),
      arrayText(sets.map(({ numbers }) => encodeNumbers(numbers).toString('base64'))),
    ],
  );
}

const PlacedRow = z.object({
  client_id: z.number(),
  part_id: z.number(),
  chunk: z.number(),
  machines: Bytes,
});

export interface MachinesOfPart {
  readonly clientId: number;
  readonly partId: number;
  readonly chunk: number;
  readonly machineIds: readonly number[];
}

/** Machines of every client, unless one is named: reads all partitions. */
export async function machinesOfParts(
  database: Queryable,
  parts: readonly number[],
  clientId: number | null = null,
): Promise<readonly MachinesOfPart[]> {
  const rows = await queryRows(
    database,
    PlacedRow,
    `select client_id, part_id, chunk, machines from part_machines
     where part_id = any($1::int[])${clientId === null ? '' : ' and client_id = $2'}`,
    clientId === null ? [arrayText(parts)] : [arrayText(parts), clientId],
  );
  return rows.map(({ client_id, part_id, chunk, machines }) => ({
    clientId: client_id,
    partId: part_id,
    chunk,
    machineIds: machinesOfChunk(client_id, chunk, decodeNumbers(machines)),
  }));
}
