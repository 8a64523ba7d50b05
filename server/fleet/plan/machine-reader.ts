/** Reads machines with what their parts miss, each part once, for all that a request concludes of plans. */
import { setImmediate as others } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.ts';
import { PartIndexes } from '../counts/counted-parts.ts';
import { readMissingOfParts, readUncertainOfParts } from '../judgement/part-missing-store.ts';
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
  readonly #read = new PartIndexes();
  readonly #lacking = new PartIndexes();

  constructor(work: Pick<PlanWork, 'database' | 'signal'>) {
    this.#work = work;
  }

  /**
   * Yields the machines that exist, in the order of their ids, some at a time. Their parts are those that miss a record.
   * @param ids Of the machines, in any order.
   */
  async *read(ids: Iterable<number>): AsyncGenerator<readonly PlannedMachine[]> {
    const { database, signal } = this.#work;
    const sorted = [...new Set(ids)].sort((a, b) => a - b);
    for (let from = 0; from < sorted.length; from += machinesAtOnce) {
      signal.throwIfAborted();
      const machines = await readPlannedMachines(
        database,
        sorted.slice(from, from + machinesAtOnce),
      );
      await this.#readParts(machines);
      yield machines.map((machine) => ({
        ...machine,
        parts: machine.parts.filter((part) => this.#lacking.find(part) > 0),
      }));
    }
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
    const [certain, uncertain] = await Promise.all([
      readMissingOfParts(this.#work.database, unknown),
      readUncertainOfParts(this.#work.database, unknown),
    ]);
    for (const [known, found] of [
      [this.missing, certain],
      [this.uncertain, uncertain],
    ] as const)
      for (const [part, missing] of found) {
        known.set(part, missing);
        this.#lacking.add(part);
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
