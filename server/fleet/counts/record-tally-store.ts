/** Counts how many machines certainly miss each record, and on how many each step of their plans closes it. It serves the dashboard, so it may lag. */

import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { FleetWork } from '../judgement/fleet-lease-store.ts';
import { readActiveExceptions } from '../judgement/missing-exception-store.ts';
import { readMissingOfParts } from '../judgement/part-missing-store.ts';
import { type MachineToCount, readMachinesInOrder } from './machine-count-store.ts';
import { type PartGroup, PartGroups } from './part-groups.ts';
import { PartPlans } from './part-plans.ts';

const batchMachines = 1000;

/** Reads all machines. */
export async function tallyRecords(work: FleetWork): Promise<void> {
  const { database, signal, keepLease, clock } = work;
  const now = clock();
  const tally = new RecordTally(
    work,
    new PartGroups(await readMissingOfParts(database), await readActiveExceptions(database, now)),
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

class RecordTally {
  /** Machines by missing record. */
  readonly machines = new Map<number, number>();
  /** Machines by missing record and step. */
  readonly closers = new Map<number, Map<number, number>>();
  readonly #parts: PartGroups;
  readonly #plans: PartPlans;

  constructor(work: Pick<FleetWork, 'database' | 'signal'>, parts: PartGroups) {
    this.#parts = parts;
    this.#plans = new PartPlans(work);
  }

  async add(machines: readonly MachineToCount[]): Promise<void> {
    const times = new Map<PartGroup, number>();
    for (const machine of machines)
      for (const group of this.#parts.group(this.#parts.find(machine))) add(times, group, 1);
    const groups = [...times.keys()];
    const plans = await this.#plans.read(groups);
    for (const [index, group] of groups.entries()) {
      const count = times.get(group) ?? 0;
      for (const missingId of new Set(group.flatMap(({ missing }) => missing)))
        add(this.machines, missingId, count);
      for (const [missingId, steps] of plans[index]?.closers ?? []) {
        const counts = this.closers.get(missingId) ?? new Map<number, number>();
        this.closers.set(missingId, counts);
        for (const step of steps) add(counts, step, count);
      }
    }
  }
}

const add = <Key>(counts: Map<Key, number>, key: Key, count: number) =>
  counts.set(key, (counts.get(key) ?? 0) + count);

interface Tally {
  /** Machines by missing record. */
  readonly machines: ReadonlyMap<number, number>;
  /** Machines by missing record and step. */
  readonly closers: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

/** Writes only what has changed. */
async function writeTally(tx: Queryable, { machines, closers }: Tally, now: number): Promise<void> {
  await tx.query(
    `update missing_record set machines = coalesce(counted.machines, 0) from missing_record as own
     left join unnest($1::int[], $2::int[]) as counted(id, machines) on counted.id = own.id
     where missing_record.id = own.id and missing_record.machines <> coalesce(counted.machines, 0)`,
    [arrayText([...machines.keys()]), arrayText([...machines.values()])],
  );
  const pairs = [...closers].flatMap(([missingId, steps]) =>
    Array.from(steps, ([stepId, count]) => ({ missingId, stepId, count })),
  );
  const ids = arrayTexts(pairs, 'missingId', 'stepId');
  await tx.query(
    `delete from missing_closer where (missing_id, step_id) not in (select * from unnest($1::int[], $2::int[]))`,
    ids,
  );
  await tx.query(
    `insert into missing_closer as known (missing_id, step_id, machines) select * from unnest($1::int[], $2::int[], $3::int[])
     on conflict (missing_id, step_id) do update set machines = excluded.machines where known.machines <> excluded.machines`,
    arrayTexts(pairs, 'missingId', 'stepId', 'count'),
  );
  await tx.query('update fleet_worker set tally_due = false, tallied_on = $1', [now]);
}
