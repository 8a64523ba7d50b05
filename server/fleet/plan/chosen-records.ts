/** Chooses which of the records that machines certainly miss a plan is to close. */
import type { DatedRecord } from '@patch/catalogue/fleet/due-date.ts';
import type { PlanChoice } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { getMissingBand } from '@patch/contract/fleet/missing-bands.ts';
import type { Database } from '../../platform/database/database.ts';
import { readRecordStandings } from '../counts/machine-count-store.ts';
import { readDatedMissing } from '../due/due-record-store.ts';
import { MachinePolicies } from '../due/machine-policies.ts';
import { OverdueRecords } from '../due/overdue-records.ts';

/** Records to close: a choice, the missing records with these ids, or what is overdue by the policies. */
export type Closed =
  | Exclude<PlanChoice, 'records' | 'overdue'>
  | ReadonlySet<number>
  | MachinePolicies;

/** The bands of a machine's page that a choice has. */
const bandsOf = {
  exploited: ['exploited'],
  serious: ['exploited', 'serious'],
} as const;

export class ChosenRecords {
  readonly #database: Database;
  readonly #closed: Closed;
  readonly #now: number;
  readonly #tested = new Set<number>();
  readonly #chosen = new Set<number>();
  readonly #dated = new Map<number, DatedRecord>();
  #overdue = new OverdueRecords(this.#dated, 0);

  constructor(database: Database, closed: Closed, now: number) {
    this.#database = database;
    this.#closed = closed;
    this.#now = now;
  }

  /** Tests the missing records of parts, each once. */
  async add(missingOfParts: ReadonlyMap<number, readonly number[]>): Promise<void> {
    const closed = this.#closed;
    const unknown: number[] = [];
    for (const missing of missingOfParts.values())
      for (const id of missing)
        if (!this.#tested.has(id)) {
          this.#tested.add(id);
          unknown.push(id);
        }
    if (closed === 'all') for (const id of unknown) this.#chosen.add(id);
    else if (closed instanceof MachinePolicies) {
      for (const [id, record] of await readDatedMissing(this.#database, unknown))
        this.#dated.set(id, record);
      this.#overdue = new OverdueRecords(this.#dated, this.#now);
    } else if (typeof closed === 'string') {
      const bands: readonly unknown[] = bandsOf[closed];
      for (const [id, record] of await readRecordStandings(this.#database, unknown))
        if (bands.includes(getMissingBand({ ...record, state: 'missing' }))) this.#chosen.add(id);
    }
  }

  /** Returns the records to close on the machine. Machines with the same ones share the set. */
  on(machineId: number): ReadonlySet<number> {
    const closed = this.#closed;
    if (closed instanceof MachinePolicies) return this.#overdue.under(closed.of(machineId));
    return typeof closed === 'string' ? this.#chosen : closed;
  }
}
