/** Reads what the parts of machines certainly miss, each part once, and which of it a plan is to close. */
import type { MissingBand } from '@patch/contract/assessment-endpoint.ts';
import type { PlanChoice } from '@patch/contract/machine-plan-endpoints.ts';
import { getMissingBand } from '@patch/contract/missing-bands.ts';
import type { Database } from '../../platform/database/database.ts';
import { readRecordStandings } from '../counts/machine-count-store.ts';
import { readMissingOfParts } from '../judgement/part-missing-store.ts';
import { type PlannedMachine, readOverdue } from './planned-machine-store.ts';

/** Records to close: a choice, or the missing records with these ids. */
export type Closed = Exclude<PlanChoice, 'records'> | ReadonlySet<number>;

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
    for (const id of await this.#readChosen([...unknown], closed, now)) this.#chosen.add(id);
    return this.#chosen;
  }

  async #readChosen(
    ids: readonly number[],
    choice: Exclude<PlanChoice, 'records'>,
    now: number,
  ): Promise<readonly number[]> {
    if (choice === 'all') return ids;
    if (choice === 'overdue') return readOverdue(this.#database, ids, now);
    const wanted = bandsOf[choice];
    return [...(await readRecordStandings(this.#database, ids))].flatMap(([id, record]) => {
      const band = getMissingBand({ ...record, state: 'missing' });
      return band !== null && wanted.includes(band) ? [id] : [];
    });
  }
}
