/** Concludes which records are overdue on machines, once for all machines with the same policies. */
import {
  type DatedRecord,
  isOverdue,
  type PolicyOfGroup,
} from '@patch/catalogue/fleet/due-date.ts';

export class OverdueRecords {
  readonly #dated: ReadonlyMap<number, DatedRecord>;
  readonly #now: number;
  readonly #byPolicies = new Map<readonly PolicyOfGroup[], ReadonlySet<number>>();

  /** @param dated The facts of the records, by an id of the caller's choice. */
  constructor(dated: ReadonlyMap<number, DatedRecord>, now: number) {
    this.#dated = dated;
    this.#now = now;
  }

  /** Returns the ids of the records that are overdue under the policies, a list of `MachinePolicies`. */
  under(policies: readonly PolicyOfGroup[]): ReadonlySet<number> {
    const known = this.#byPolicies.get(policies);
    if (known !== undefined) return known;
    const overdue = new Set<number>();
    for (const [id, record] of this.#dated)
      if (isOverdue(record, policies, this.#now)) overdue.add(id);
    this.#byPolicies.set(policies, overdue);
    return overdue;
  }
}
