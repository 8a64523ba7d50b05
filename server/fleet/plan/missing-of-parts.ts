/** Reads what the parts of machines certainly miss, each part once, and which of it a plan is to close. */
import type { PlanChoice } from '@patch/contract/machine-plan-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { readMissingOfParts } from '../judgement/part-missing-store.ts';
import { type PlannedMachine, readChosen } from './planned-machine-store.ts';

/** Records to close: a choice, or the missing records with these ids. */
export type Closed = Exclude<PlanChoice, 'records'> | ReadonlySet<number>;

export class MissingOfParts {
  readonly byPart = new Map<number, readonly number[]>();
  readonly #database: Database;
  readonly #tested = new Set<number>();
  readonly #chosen = new Set<number>();

  constructor(database: Database) {
    this.#database = database;
  }

  async read(machines: readonly PlannedMachine[]): Promise<void> {
    const unknown = new Set<number>();
    for (const { parts } of machines)
      for (const part of parts) if (!this.byPart.has(part)) unknown.add(part);
    const found = await readMissingOfParts(this.#database, [...unknown]);
    for (const part of unknown) this.byPart.set(part, found.get(part) ?? []);
  }

  async choose(closed: Closed, now: number): Promise<ReadonlySet<number>> {
    if (typeof closed !== 'string') return closed;
    const unknown = new Set<number>();
    for (const missing of this.byPart.values())
      for (const id of missing) if (!this.#tested.has(id)) unknown.add(id);
    for (const id of unknown) this.#tested.add(id);
    for (const id of await readChosen(this.#database, [...unknown], closed, now))
      this.#chosen.add(id);
    return this.#chosen;
  }
}
