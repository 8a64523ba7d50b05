/**
 * Counts how many machines certainly miss each record, and on how many each step of their plans closes it. It serves the dashboard,
 * so it may lag.
 */
import type { FleetWork } from '../judgement/fleet-work.ts';
import {
  type ActiveExceptions,
  readActiveExceptions,
} from '../judgement/missing-exception-store.ts';
import { type MachineToCount, readMachinesInOrder } from './machine-count-store.ts';
import { type MissingOfPart, type PartGroup, PartPlans } from './part-plans.ts';
import { readMissingOfParts, writeTally } from './record-tally-store.ts';

const batchMachines = 1000;

/** Reads all machines. */
export async function tallyRecords(work: FleetWork): Promise<void> {
  const { database, signal, keepLease, clock } = work;
  const now = clock();
  const tally = new RecordTally(
    work,
    await readMissingOfParts(database),
    await readActiveExceptions(database, now),
  );
  for (let after = { clientId: 0, id: 0 }; ; ) {
    signal.throwIfAborted();
    const machines = await readMachinesInOrder(database, after, batchMachines);
    const last = machines.at(-1);
    if (last === undefined) break;
    await tally.add(machines);
    after = last;
  }
  await database.transaction(async (tx) => {
    await keepLease(tx);
    await writeTally(tx, tally, now);
  });
}

export class RecordTally {
  /** Machines by missing record. */
  readonly machines = new Map<number, number>();
  /** Machines by missing record and step. */
  readonly closers = new Map<number, Map<number, number>>();
  readonly #missing: ReadonlyMap<number, readonly number[]>;
  readonly #exceptions: ActiveExceptions;
  readonly #plans: PartPlans;

  /** @param missing The ids of the records that each part certainly misses. */
  constructor(
    work: Pick<FleetWork, 'database' | 'signal'>,
    missing: ReadonlyMap<number, readonly number[]>,
    exceptions: ActiveExceptions,
  ) {
    this.#missing = missing;
    this.#exceptions = exceptions;
    this.#plans = new PartPlans(work);
  }

  async add(machines: readonly MachineToCount[]): Promise<void> {
    const groups = machines.flatMap((machine) => groupParts(this.#getMissing(machine)));
    const plans = await this.#plans.read(groups);
    for (const [index, group] of groups.entries()) {
      for (const missingId of new Set(group.flatMap(({ missing }) => missing)))
        addOne(this.machines, missingId);
      for (const [missingId, steps] of plans[index] ?? []) {
        const counts = this.closers.get(missingId) ?? new Map<number, number>();
        this.closers.set(missingId, counts);
        for (const step of steps) addOne(counts, step);
      }
    }
  }

  /** Returns the parts of the machine that miss records, without the accepted ones. */
  #getMissing({ clientId, id, parts }: MachineToCount): readonly MissingOfPart[] {
    return parts.flatMap((partId) => {
      const all = this.#missing.get(partId);
      if (all === undefined) return [];
      const missing = this.#exceptions.isEmpty
        ? all
        : all.filter((missingId) => !this.#exceptions.covers(clientId, id, missingId));
      return missing.length === 0 ? [] : [{ partId, missing }];
    });
  }
}

const addOne = (counts: Map<number, number>, key: number) =>
  counts.set(key, (counts.get(key) ?? 0) + 1);

/** Groups the parts of a machine that miss a record together, directly or through others. Each group is planned by itself. */
function groupParts(parts: readonly MissingOfPart[]): readonly PartGroup[] {
  const groupOf = new Map<number, MissingOfPart[]>();
  const groups = new Set<MissingOfPart[]>();
  for (const part of parts) {
    const own = [part];
    for (const missingId of part.missing) {
      const known = groupOf.get(missingId);
      if (known === undefined || !groups.delete(known)) continue;
      own.push(...known);
    }
    groups.add(own);
    for (const { missing } of own) for (const missingId of missing) groupOf.set(missingId, own);
  }
  return [...groups];
}
