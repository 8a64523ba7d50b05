/** Reads which machines miss records, each machine once, with its most certain state. Every number and list of such machines comes from here. */
import { missingStates } from '@patch/catalogue/fleet/missing-finding.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { readActiveExceptions } from '../judgement/missing-exception-store.ts';
import { firstOfChunk, machinesPerChunk, numberInChunk } from '../machines/machine-number.ts';
import { readSetsOfParts, type SetOfPart } from '../parts/part-machines-store.ts';

/** Missing certainly; missing perhaps, or for subscribers only; accepted by an administrator, in any state. */
export type Standing = 'missing' | 'uncertain' | 'accepted';

const certain = missingStates.indexOf('missing');

/** A mark is 0 for none, and greater the more it weighs: what is missing outweighs what is accepted. */
export const toMark = (state: number, isAccepted: boolean): number =>
  1 + state + (isAccepted ? 0 : missingStates.length);
const isAcceptedMark = (mark: number) => mark <= missingStates.length;
const toState = (mark: number) => (mark - 1) % missingStates.length;

export function toStanding(mark: number): Standing {
  if (isAcceptedMark(mark)) return 'accepted';
  return toState(mark) === certain ? 'missing' : 'uncertain';
}

export const isForSubscribers = (mark: number): boolean =>
  toStanding(mark) === 'uncertain' && missingStates[toState(mark)] === 'needsSubscription';

interface MarkedMachine {
  readonly id: number;
  readonly state: (typeof missingStates)[number];
  readonly standing: Standing;
}

export class MissingMarks {
  /** By the first id of a chunk: the mark of each number within it. */
  readonly #chunks = new Map<number, Uint8Array>();

  /**
   * Adds the machines of the sets, whose parts miss one record, or records without exceptions.
   * @param states By part: the index in `missingStates`.
   */
  add(
    sets: readonly SetOfPart[],
    states: ReadonlyMap<number, number>,
    isAccepted: (clientId: number, machineId: number) => boolean = () => false,
  ): void {
    // One record's most certain state counts before an exception does.
    const own = new Map<number, { readonly clientId: number; readonly states: Uint8Array }>();
    for (const { clientId, partId, chunk, numbers } of sets) {
      const state = states.get(partId);
      if (state === undefined) continue;
      const first = firstOfChunk(clientId, chunk);
      const marked = own.get(first)?.states ?? new Uint8Array(machinesPerChunk);
      own.set(first, { clientId, states: marked });
      for (const number of numbers) marked[number] = Math.max(marked[number] ?? 0, 1 + state);
    }
    for (const [first, { clientId, states: marked }] of own) {
      const marks = this.#chunks.get(first) ?? new Uint8Array(machinesPerChunk);
      this.#chunks.set(first, marks);
      for (const [number, state] of marked.entries())
        if (state > 0)
          marks[number] = Math.max(
            marks[number] ?? 0,
            toMark(state - 1, isAccepted(clientId, first + number)),
          );
    }
  }

  /** Returns the machines of a standing, or all, in the order of their ids. */
  machines(standing: Standing | null = null): readonly MarkedMachine[] {
    const found: MarkedMachine[] = [];
    for (const [first, marks] of [...this.#chunks].toSorted(([a], [b]) => a - b))
      for (const [number, mark] of marks.entries()) {
        if (mark === 0 || (standing !== null && toStanding(mark) !== standing)) continue;
        const state = missingStates[toState(mark)] ?? 'uncertain';
        found.push({ id: first + number, state, standing: toStanding(mark) });
      }
    return found;
  }

  has(id: number): boolean {
    return this.#mark(id) > 0;
  }

  /** Returns the number of machines of each standing. @param within The machines to count; null for all. */
  count(within: ReadonlySet<number> | null = null): Readonly<Record<Standing, number>> {
    const counts = { missing: 0, uncertain: 0, accepted: 0 };
    const add = (mark: number) => {
      if (mark > 0) counts[toStanding(mark)] += 1;
    };
    if (within === null) for (const marks of this.#chunks.values()) marks.forEach(add);
    else for (const id of within) add(this.#mark(id));
    return counts;
  }

  #mark(id: number): number {
    const number = numberInChunk(id);
    return this.#chunks.get(id - number)?.[number] ?? 0;
  }
}

/** Sets of this many parts are decoded at once, so that requests in between wait for milliseconds. */
const partsAtOnce = 500;

const MissingRow = z.object({
  part_id: z.number(),
  missing_id: z.number(),
  state: openWord<(typeof missingStates)[number]>(),
});
type MissingRow = z.infer<typeof MissingRow>;

/**
 * Returns the machines that miss one of the records.
 * @param missingIds Ids of `missing_record`.
 * @param now The time at which exceptions must be valid.
 */
export async function readMachinesOfMissing(
  database: Queryable,
  missingIds: readonly number[],
  now: number,
): Promise<MissingMarks> {
  const marks = new MissingMarks();
  if (missingIds.length === 0) return marks;
  const rows = await queryRows(
    database,
    MissingRow,
    'select part_id, missing_id, state from part_missing where missing_id = any($1::int[])',
    [arrayText(missingIds)],
  );
  const exceptions = await readActiveExceptions(database, now);
  const plain = bestStates(rows.filter(({ missing_id }) => !exceptions.concern(missing_id)));
  const parts = [...plain.keys()];
  for (let from = 0; from < parts.length; from += partsAtOnce)
    marks.add(await readSetsOfParts(database, parts.slice(from, from + partsAtOnce)), plain);
  const excepted = rows.filter(({ missing_id }) => exceptions.concern(missing_id));
  for (const [missingId, own] of Map.groupBy(excepted, ({ missing_id }) => missing_id)) {
    const states = bestStates(own);
    marks.add(await readSetsOfParts(database, [...states.keys()]), states, (client, machine) =>
      exceptions.covers(client, machine, missingId),
    );
  }
  return marks;
}

function bestStates(rows: readonly MissingRow[]): ReadonlyMap<number, number> {
  const states = new Map<number, number>();
  for (const { part_id, state } of rows)
    states.set(part_id, Math.max(states.get(part_id) ?? 0, missingStates.indexOf(state)));
  return states;
}
