/**
 * Sets of machines from reports that are not merged into part_machines yet: writing one row per report is much cheaper than
 * changing ten thousand.
 */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryValues } from '../../platform/database/query-rows.ts';
import { decodeNumbers, writeNumbers } from './number-set.ts';

const Bytes = z.instanceof(Uint8Array);

/** The machines of one part and chunk, as numbers within the chunk. */
export interface MachineSet {
  readonly partId: number;
  readonly chunk: number;
  readonly numbers: readonly number[];
}

/** The length of the header: part id, chunk and length, four bytes each. */
const headLength = 12;
/** Maximum per client, which limits how much readers must search. */
const maxWaiting = 16;

/** Requires the fleet's lock. Returns true when the sets should be merged now. */
export async function addWaiting(
  tx: Queryable,
  clientId: number,
  sets: readonly MachineSet[],
): Promise<boolean> {
  if (sets.length === 0) return false;
  const [waiting = 0] = await queryValues(
    tx,
    z.number(),
    `insert into waiting_sets (client_id, sets) values ($1::bigint, decode($2, 'base64'))
     returning (select count(*) from waiting_sets where client_id = $1::bigint)`,
    [clientId, encodeSets(sets).toString('base64')],
  );
  // The statement counts the rows before its own.
  return waiting + 1 >= maxWaiting;
}

/** Requires the fleet's lock. Removes and returns the waiting sets: each part and chunk once, in the order of the primary key. */
export async function takeWaiting(tx: Queryable, clientId: number): Promise<readonly MachineSet[]> {
  const waiting = await queryValues(
    tx,
    Bytes,
    'delete from waiting_sets where client_id = $1 returning sets',
    [clientId],
  );
  const chunks = new Map<number, Map<number, number[]>>();
  for (const sets of waiting)
    for (const { partId, chunk, numbers } of decodeSets(sets)) {
      const own = chunks.get(chunk) ?? new Map<number, number[]>();
      chunks.set(chunk, own);
      const known = own.get(partId);
      if (known === undefined) own.set(partId, [...numbers]);
      else known.push(...numbers);
    }
  return [...chunks]
    .flatMap(([chunk, own]) =>
      [...own].map(([partId, numbers]) => ({ partId, chunk, numbers: [...new Set(numbers)] })),
    )
    .toSorted((a, b) => a.partId - b.partId || a.chunk - b.chunk);
}

export const readClientsWaiting = (database: Queryable): Promise<readonly number[]> =>
  queryValues(
    database,
    z.number(),
    'select distinct client_id from waiting_sets order by client_id',
  );

/** Returns the parts of waiting sets with an id above `above` and up to `last`. */
export async function readPartsWaiting(
  database: Queryable,
  above: number,
  last: number,
): Promise<string> {
  const waiting = await queryValues(database, Bytes, 'select sets from waiting_sets');
  const parts = new Set<number>();
  for (const sets of waiting)
    for (const { partId } of decodeSets(sets))
      if (partId > above && partId <= last) parts.add(partId);
  return arrayText([...parts]);
}

function encodeSets(sets: readonly MachineSet[]): Buffer {
  const numbers = sets.reduce((sum, set) => sum + set.numbers.length, 0);
  const bytes = Buffer.allocUnsafe(headLength * sets.length + 5 * numbers);
  let at = 0;
  for (const { partId, chunk, numbers: own } of sets) {
    const end = writeNumbers(
      bytes,
      at + headLength,
      own.toSorted((a, b) => a - b),
    );
    bytes.writeInt32BE(partId, at);
    bytes.writeInt32BE(chunk, at + 4);
    bytes.writeInt32BE(end - at - headLength, at + 8);
    at = end;
  }
  return bytes.subarray(0, at);
}

/** @param isWanted Skips sets of other parts. */
export function decodeSets(
  bytes: Uint8Array,
  isWanted: (partId: number) => boolean = () => true,
): readonly MachineSet[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sets: MachineSet[] = [];
  for (let at = 0; at < bytes.length; ) {
    const partId = view.getInt32(at);
    const end = at + headLength + view.getInt32(at + 8);
    if (isWanted(partId))
      sets.push({
        partId,
        chunk: view.getInt32(at + 4),
        numbers: decodeNumbers(bytes.subarray(at + headLength, end)),
      });
    at = end;
  }
  return sets;
}
