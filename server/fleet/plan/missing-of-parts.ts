/** Reads what the parts of machines certainly miss, each part once, and which of it a plan is to close. */
import type { DatedRecord } from '@patch/catalogue/fleet/due-date.ts';
import type { MissingBand } from '@patch/contract/assessment-endpoint.ts';
import type { PlanChoice } from '@patch/contract/machine-plan-endpoints.ts';
import { getMissingBand } from '@patch/contract/missing-bands.ts';
import type { Database } from '../../platform/database/database.ts';
import { readRecordStandings } from '../counts/machine-count-store.ts';
import { readDatedMissing } from '../due/due-record-store.ts';
import { MachinePolicies } from '../due/machine-policies.ts';
import { OverdueRecords } from '../due/overdue-records.ts';
import { readMissingOfParts } from '../judgement/part-missing-store.ts';
import type { PlannedMachine } from './planned-machine-store.ts';

/** Records to close: a choice, the missing records with these ids, or what is overdue by the policies. */
export type Closed =
  | Exclude<PlanChoice, 'records' | 'overdue'>
  | ReadonlySet<number>
  | MachinePolicies;

/** Returns the records to close on a machine. */
export type ChosenOn = (machineId: number) => ReadonlySet<number>;

/** The bands of a machine's page that a choice has. */
const bandsOf: Readonly<Record<'exploited' | 'serious', readonly MissingBand[]>> = {
  exploited: ['exploited'],
  serious: ['exploited', 'serious'],
};

export class MissingOfParts {
  readonly byPart = new Map<number, readonly number[]>();
  readonly #database: Database;
  readonly #tested = new Set<number>();
  readonly #chosen = new Set<number>();
  readonly #dated = new Map<number, DatedRecord>();

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

  async choose(closed: Closed, now: number): Promise<ChosenOn> {
    if (closed instanceof MachinePolicies) return this.#chooseOverdue(closed, now);
    if (typeof closed !== 'string') return () => closed;
    for (const id of await this.#readChosen(this.#takeUntested(), closed)) this.#chosen.add(id);
    return () => this.#chosen;
  }

  #takeUntested(): readonly number[] {
    const unknown = new Set<number>();
    for (const missing of this.byPart.values())
      for (const id of missing) if (!this.#tested.has(id)) unknown.add(id);
    for (const id of unknown) this.#tested.add(id);
    return [...unknown];
  }

  async #chooseOverdue(policies: MachinePolicies, now: number): Promise<ChosenOn> {
    const found = await readDatedMissing(this.#database, this.#takeUntested());
    for (const [id, record] of found) this.#dated.set(id, record);
    const overdue = new OverdueRecords(this.#dated, now);
    return (machineId) => overdue.under(policies.of(machineId));
  }

  async #readChosen(
    ids: readonly number[],
    choice: Exclude<PlanChoice, 'records' | 'overdue'>,
  ): Promise<readonly number[]> {
    if (choice === 'all') return ids;
    const wanted = bandsOf[choice];
    return [...(await readRecordStandings(this.#database, ids))].flatMap(([id, record]) => {
      const band = getMissingBand({ ...record, state: 'missing' });
      return band !== null && wanted.includes(band) ? [id] : [];
    });
  }
}
