/**
 * Stores which machines have a part, as sets of numbers per chunk of a client's machines. Written in the transaction of the
 * machines.
 */
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { chunkOfMachine, numberInChunk } from '../machines/machine-number.ts';
import { decodeNumbers, joint, NumberSet, writeNumbers } from './number-set.ts';
import { addWaiting, decodeSets, type MachineSet, takeWaiting } from './waiting-set-store.ts';

/** A machine whose parts have changed. */
export interface ChangedParts {
  readonly machineId: number;
  readonly gained: readonly number[];
  readonly lost: readonly number[];
}

interface ChangedSet {
  readonly partId: number;
  readonly chunk: number;
  readonly gained: number[];
  readonly lost: number[];
}

/** Requires the lock of the client's row in fleet_client, so that no other writer changes its sets meanwhile. */
export async function changePartMachines(
  tx: Queryable,
  clientId: number,
  changes: readonly ChangedParts[],
): Promise<void> {
  const sets = changedSets(changes);
  const added = sets
    .filter(({ lost }) => lost.length === 0)
    .map(({ partId, chunk, gained }) => ({ partId, chunk, numbers: gained }));
  if (added.length === sets.length) {
    if (await addWaiting(tx, clientId, added)) await mergeWaiting(tx, clientId);
    return;
  }
  // A set's lost numbers may still wait to be added to it.
  await mergeWaiting(tx, clientId);
  await addToSets(tx, clientId, added);
  await rewriteSets(
    tx,
    clientId,
    sets.filter(({ lost }) => lost.length > 0),
  );
}

/** Requires the lock of the client's row in fleet_client. Merges the waiting sets into the stored ones. */
export async function mergeWaiting(tx: Queryable, clientId: number): Promise<void> {
  await addToSets(tx, clientId, await takeWaiting(tx, clientId));
}

/** Returns the sets in the order of the primary key, so that neighbours in the index are written one after the other. */
function changedSets(changes: readonly ChangedParts[]): readonly ChangedSet[] {
  const chunks = new Map<number, Map<number, ChangedSet>>();
  for (const { machineId, gained, lost } of changes) {
    const chunk = chunkOfMachine(machineId);
    const number = numberInChunk(machineId);
    const sets = chunks.get(chunk) ?? new Map<number, ChangedSet>();
    chunks.set(chunk, sets);
    for (const partId of gained) getSet(sets, partId, chunk).gained.push(number);
    for (const partId of lost) getSet(sets, partId, chunk).lost.push(number);
  }
  return [...chunks.values()]
    .flatMap((sets) => [...sets.values()])
    .toSorted((a, b) => a.partId - b.partId || a.chunk - b.chunk);
}

function getSet(sets: Map<number, ChangedSet>, partId: number, chunk: number): ChangedSet {
  const known = sets.get(partId);
  if (known !== undefined) return known;
  const made = { partId, chunk, gained: [], lost: [] };
  sets.set(partId, made);
  return made;
}

/** Appends without reading: most machines are new, or gained a version that many others have. */
async function addToSets(
  tx: Queryable,
  clientId: number,
  sets: readonly MachineSet[],
): Promise<void> {
  await writeSets(
    tx,
    clientId,
    sets,
    `part_machines.machines || '\\x${joint.toString(16).padStart(2, '0')}'::bytea || excluded.machines`,
  );
}

const SetRow = z.object({ part_id: z.number(), chunk: z.number(), machines: NumberSet });

async function rewriteSets(
  tx: Queryable,
  clientId: number,
  sets: readonly ChangedSet[],
): Promise<void> {
  if (sets.length === 0) return;
  const rows = await queryRows(
    tx,
    SetRow,
    `select part_id, chunk, machines from part_machines
     where client_id = $1 and (part_id, chunk) in (select * from unnest($2::int[], $3::int[]))`,
    [clientId, ...arrayTexts(sets, 'partId', 'chunk')],
  );
  const setKey = (partId: number, chunk: number) => `${partId} ${chunk}`;
  const stored = new Map(
    rows.map(({ part_id, chunk, machines }) => [setKey(part_id, chunk), machines]),
  );
  const remaining = sets.map(({ partId, chunk, gained, lost }) => {
    const numbers = new Set(stored.get(setKey(partId, chunk)));
    for (const number of lost) numbers.delete(number);
    for (const number of gained) numbers.add(number);
    return { partId, chunk, numbers: [...numbers] };
  });
  await writeSets(
    tx,
    clientId,
    remaining.filter(({ numbers }) => numbers.length > 0),
    'excluded.machines',
  );
  const emptied = remaining.filter(({ numbers }) => numbers.length === 0);
  if (emptied.length > 0)
    await tx.query(
      `delete from part_machines where client_id = $1 and (part_id, chunk) in (select * from unnest($2::int[], $3::int[]))`,
      [clientId, ...arrayTexts(emptied, 'partId', 'chunk')],
    );
}

/**
 * Sends thousands of sets as one concatenated value.
 * @param merged SQL of the new value when the set exists.
 */
async function writeSets(
  tx: Queryable,
  clientId: number,
  sets: readonly MachineSet[],
  merged: string,
): Promise<void> {
  if (sets.length === 0) return;
  const bytes = Buffer.allocUnsafe(5 * sets.reduce((sum, { numbers }) => sum + numbers.length, 0));
  const ends: number[] = [];
  for (const { numbers } of sets)
    ends.push(
      writeNumbers(
        bytes,
        ends.at(-1) ?? 0,
        numbers.toSorted((a, b) => a - b),
      ),
    );
  await tx.query(
    `with sent as materialized (select decode($4, 'base64') as bytes)
     insert into part_machines (client_id, part_id, chunk, machines)
     select $1::bigint, part_id, chunk, substring(bytes from first for last - first + 1)
     from sent, unnest($2::int[], $3::int[], $5::int[], $6::int[]) as packed(part_id, chunk, first, last)
     on conflict (part_id, client_id, chunk) do update set machines = ${merged}`,
    [
      clientId,
      ...arrayTexts(sets, 'partId', 'chunk'),
      bytes.toString('base64', 0, ends.at(-1) ?? 0),
      arrayText(ends.map((_, at) => (ends[at - 1] ?? 0) + 1)),
      arrayText(ends),
    ],
  );
}

const StoredSetRow = z.object({
  client_id: z.number(),
  /** Null for a row of several waiting sets. */
  part_id: z.number().nullable(),
  chunk: z.number().nullable(),
  machines: z.instanceof(Uint8Array),
});

export interface SetOfPart extends MachineSet {
  readonly clientId: number;
}

/** Returns sets of every client, waiting ones included: reads all partitions. A part and chunk may occur several times. */
export async function readSetsOfParts(
  database: Queryable,
  parts: readonly number[],
): Promise<readonly SetOfPart[]> {
  const rows = await queryRows(
    database,
    StoredSetRow,
    `select client_id, part_id, chunk, machines from part_machines where part_id = any($1::int[])
     union all select client_id, null, null, sets from waiting_sets`,
    [arrayText(parts)],
  );
  const wanted = new Set(parts);
  return rows.flatMap(({ client_id: clientId, part_id, chunk, machines }) =>
    part_id === null || chunk === null
      ? decodeSets(machines, (partId) => wanted.has(partId)).map((set) => ({ clientId, ...set }))
      : [{ clientId, partId: part_id, chunk, numbers: decodeNumbers(machines) }],
  );
}
