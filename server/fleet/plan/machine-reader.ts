/** Reads machines with what their parts miss, each part once, for all that a request concludes of plans. */
import { setImmediate as others } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.ts';
import { PartIndexes } from '../counts/counted-parts.ts';
import { readStandingOfParts } from '../judgement/part-missing-store.ts';
import { type PlannedMachine, readPlannedMachines } from './planned-machine-store.ts';

export interface PlanWork {
  readonly database: Database;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: number;
}

const machinesAtOnce = 500;

export class MachineReader {
  /** By part: the ids of the records that it certainly misses. Parts that miss none are left out. */
  readonly missing = new Map<number, readonly number[]>();
  /** By part: the ids of the records that it misses perhaps, or for subscribers only. */
  readonly uncertain = new Map<number, readonly number[]>();
  readonly #work: Pick<PlanWork, 'database' | 'signal'>;
  /** The machines that were read; null: they are read each time. */
  readonly #machines: Map<number, PlannedMachine> | null;
  readonly #read = new PartIndexes();
  readonly #lacking = new PartIndexes();

  /** @param keepsMachines For machines that are read more than once: they stay as they were read first. */
  constructor(work: Pick<PlanWork, 'database' | 'signal'>, { keepsMachines = false } = {}) {
    this.#work = work;
    this.#machines = keepsMachines ? new Map() : null;
  }

  /**
   * Yields the machines that exist, in the order of their ids, some at a time. Their parts are those that miss a record. The next ones are
   * read meanwhile.
   * @param ids Of the machines, in any order.
   */
  async *read(ids: Iterable<number>): AsyncGenerator<readonly PlannedMachine[]> {
    const sorted = [...new Set(ids)].sort((a, b) => a - b);
    let next = this.#readSome(sorted.slice(0, machinesAtOnce));
    for (let from = 0; from < sorted.length; from += machinesAtOnce) {
      const machines = await next;
      this.#work.signal.throwIfAborted();
      next = this.#readSome(sorted.slice(from + machinesAtOnce, from + 2 * machinesAtOnce));
      // Whoever ends early asks for no more machines, and not for their error.
      next.catch(() => undefined);
      yield machines;
    }
  }

  async #readSome(ids: readonly number[]): Promise<readonly PlannedMachine[]> {
    const kept = this.#machines;
    if (kept === null) return this.#readMachines(ids);
    const unknown = ids.filter((id) => !kept.has(id));
    for (const machine of await this.#readMachines(unknown)) kept.set(machine.id, machine);
    return ids.flatMap((id) => kept.get(id) ?? []);
  }

  async #readMachines(ids: readonly number[]): Promise<readonly PlannedMachine[]> {
    if (ids.length === 0) return [];
    const machines = await readPlannedMachines(this.#work.database, ids);
    await this.#readParts(machines);
    return machines.map((machine) => ({
      ...machine,
      parts: machine.parts.filter((part) => this.#lacking.find(part) > 0),
    }));
  }

  async #readParts(machines: readonly PlannedMachine[]): Promise<void> {
    const unknown: number[] = [];
    for (const { parts } of machines)
      for (const part of parts) {
        if (this.#read.find(part) > 0) continue;
        this.#read.add(part);
        unknown.push(part);
      }
    if (unknown.length === 0) return;
    for (const { partId, missing, uncertain } of await readStandingOfParts(
      this.#work.database,
      unknown,
    )) {
      this.#lacking.add(partId);
      if (missing !== null) this.missing.set(partId, missing);
      if (uncertain !== null) this.uncertain.set(partId, uncertain);
    }
  }
}

/** Machines between which other requests run. */
const machinesInTurn = 50;

/** Yields groups of the machines; other requests run after each. */
export async function* inTurns<Machine>(
  machines: readonly Machine[],
): AsyncGenerator<readonly Machine[]> {
  for (let from = 0; from < machines.length; from += machinesInTurn) {
    yield machines.slice(from, from + machinesInTurn);
    await others();
  }
}
