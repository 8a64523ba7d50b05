/** Reads the machines that miss a record, or a record with a CVE, by the parts that miss it. Reads all partitions. */
import { missingStates } from '@patch/catalogue/fleet/missing-finding.ts';
import { MachineOfRecord } from '@patch/contract/machine-endpoints.ts';
import type { CveMachines } from '@patch/contract/vulnerability-endpoint.ts';
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { openWord } from '../platform/database/plain-rows.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import {
  clientOfMachine,
  firstOfChunk,
  machinesPerChunk,
  numberInChunk,
} from './machine-number.ts';
import { readActiveExceptions } from './missing-exception-store.ts';
import { readSetsOfParts, type SetOfPart } from './part-machines-store.ts';

const LackingRow = z.object({
  part_id: z.number(),
  missing_id: z.number(),
  state: openWord<(typeof missingStates)[number]>(),
});

const ShownRow = MachineOfRecord.omit({ state: true, accepted: true });

export interface MachinesOfRecord {
  readonly objList: readonly MachineOfRecord[];
  readonly totalCount: number;
  readonly missing: number;
}

export async function readMachinesMissing(
  database: Queryable,
  record: { readonly list: string; readonly recordId: number },
  { offset, size, now }: { readonly offset: number; readonly size: number; readonly now: number },
): Promise<MachinesOfRecord> {
  const parts = await queryRows(
    database,
    LackingRow,
    `select part_id, missing_id, state from part_missing
     where missing_id = (select id from missing_record where list = $1 and record_id = $2)`,
    [record.list, record.recordId],
  );
  const states = new Map(
    parts.map(({ part_id, state }) => [part_id, missingStates.indexOf(state)]),
  );
  const {
    ids: page,
    totalCount,
    counts,
    stateOf: getState,
  } = pageMachines(await readSetsOfParts(database, [...states.keys()]), states, { offset, size });
  const exceptions = await readActiveExceptions(database, now);
  const missingId = parts[0]?.missing_id ?? 0;
  const rows = await readShownMachines(database, page);
  return {
    objList: page.flatMap((id) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      const state = missingStates[getState(id)] ?? 'uncertain';
      return [{ ...row, state, accepted: exceptions.covers(row.clientId, id, missingId) }];
    }),
    totalCount,
    missing: counts[missingStates.indexOf('missing')] ?? 0,
  };
}

/**
 * Counts the machines that miss a record with the CVE, each once.
 * @param cve - Folded: `cve-2024-3094`.
 */
export async function countMachinesOfCve(database: Queryable, cve: string): Promise<CveMachines> {
  const parts = await queryRows(
    database,
    LackingRow,
    `select part_id, missing_id, state from part_missing where missing_id in (
       select missing_record.id from missing_record join record using (list, record_id)
       where string_to_array(cve_folded, E'\\n') && array[$1::text])`,
    [cve],
  );
  const states = new Map<number, number>();
  for (const { part_id, state } of parts)
    states.set(part_id, Math.max(states.get(part_id) ?? 0, missingStates.indexOf(state)));
  const sets = await readSetsOfParts(database, [...states.keys()]);
  const { totalCount, counts } = pageMachines(sets, states, { offset: 0, size: 0 });
  const missing = counts[missingStates.indexOf('missing')] ?? 0;
  const [machine] = await queryRows(
    database,
    z.object({ exists: z.boolean() }),
    'select exists(select 1 from machine)',
  );
  return { reporting: machine?.exists === true, missing, uncertain: totalCount - missing };
}

/** Returns a page of machines in the order of their ids, each once, with the most certain state of its parts. */
function pageMachines(
  sets: readonly SetOfPart[],
  states: ReadonlyMap<number, number>,
  { offset, size }: { readonly offset: number; readonly size: number },
) {
  // By the first id of each chunk: for each number within the chunk 0, or the state's index plus one.
  const chunks = new Map<number, Uint8Array>();
  for (const { clientId, partId, chunk, numbers } of sets) {
    const first = firstOfChunk(clientId, chunk);
    const marks = chunks.get(first) ?? new Uint8Array(machinesPerChunk);
    chunks.set(first, marks);
    const mark = 1 + (states.get(partId) ?? 0);
    for (const number of numbers) if ((marks[number] ?? 0) < mark) marks[number] = mark;
  }
  const ids: number[] = [];
  const counts = missingStates.map(() => 0);
  let totalCount = 0;
  for (const [first, marks] of [...chunks].toSorted(([a], [b]) => a - b))
    for (let number = 0; number < machinesPerChunk; number += 1) {
      const mark = marks[number] ?? 0;
      if (mark === 0) continue;
      if (totalCount >= offset && ids.length < size) ids.push(first + number);
      totalCount += 1;
      counts[mark - 1] = (counts[mark - 1] ?? 0) + 1;
    }
  const getState = (id: number) =>
    (chunks.get(id - numberInChunk(id))?.[numberInChunk(id)] ?? 1) - 1;
  return { ids, totalCount, counts, stateOf: getState };
}

async function readShownMachines(database: Queryable, ids: readonly number[]) {
  const rows = await queryRows(
    database,
    ShownRow,
    `select machine.id, name, machine_key as "machineKey", machine.client_id as "clientId", client, platform, release, last_seen as "lastSeen"
     from machine join machine_standing on machine_standing.client_id = machine.client_id and machine_standing.id = machine.id
     where (machine.client_id, machine.id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
    [arrayText(ids.map(clientOfMachine)), arrayText(ids)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
