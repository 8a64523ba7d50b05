/** Sets of machines that reports have added and that are not merged into part_machines yet: writing one row for a report takes far less than changing ten thousand. */
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { decodeNumbers, writeNumbers } from './number-set.ts';

export const Bytes = z.instanceof(Uint8Array);

/** Of one part and one chunk, numbers of machines within the chunk. */
export interface MachineSet {
  readonly partId: number;
  readonly chunk: number;
  readonly numbers: readonly number[];
}

/** Of part, chunk and length, each four bytes. */
const headLength = 12;
/** Of one client; with more of them, readers would have too much to look through. */
const mostWaiting = 16;

const CountRow = z.object({ waiting: z.number() });

/** Call with the client's fleet locked. True when they should be merged now. */
export async function addWaiting(
  tx: Queryable,
  clientId: number,
  sets: readonly MachineSet[],
): Promise<boolean> {
  if (sets.length === 0) return false;
  const [row] = await queryRows(
    tx,
    CountRow,
    `insert into waiting_sets (client_id, sets) values ($1::bigint, decode($2, 'base64'))
     returning (select count(*) from waiting_sets where client_id = $1::bigint) as waiting`,
    [clientId, encodeSets(sets).toString('base64')],
  );
  // The count is as of before.
  return (row?.waiting ?? 0) + 1 >= mostWaiting;
}

const SetsRow = z.object({ sets: Bytes });

/** Call with the client's fleet locked. Answers those that waited, which wait no longer: each part and chunk once, in the order of the primary key. */
export async function takeWaiting(tx: Queryable, clientId: number): Promise<readonly MachineSet[]> {
  const rows = await queryRows(
    tx,
    SetsRow,
    'delete from waiting_sets where client_id = $1 returning sets',
    [clientId],
  );
  const chunks = new Map<number, Map<number, number[]>>();
  for (const { sets } of rows)
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

const ClientRow = z.object({ client_id: z.number() });

export async function clientsWaiting(database: Queryable): Promise<readonly number[]> {
  const rows = await queryRows(
    database,
    ClientRow,
    'select distinct client_id from waiting_sets order by client_id',
  );
  return rows.map(({ client_id }) => client_id);
}

/** Parts from one number to another that some waiting set is of. */
export async function partsWaiting(
  database: Queryable,
  above: number,
  last: number,
): Promise<string> {
  const rows = await queryRows(database, SetsRow, 'select sets from waiting_sets');
  const parts = new Set<number>();
  for (const { sets } of rows)
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

/** `isWanted`: sets of other parts are passed over. */
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
