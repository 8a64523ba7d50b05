/** Finds the policies of machines: those of all groups that each machine is in now. */
import { defaultPolicies, type PolicyOfGroup } from '@patch/catalogue/fleet/due-date.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readGroups, type StoredGroup } from '../groups/machine-group-store.ts';
import { type FindIds, findValidMachines } from '../groups/machines-of-group.ts';

export class MachinePolicies {
  readonly #byMachine: ReadonlyMap<number, readonly PolicyOfGroup[]>;

  /** @param byMachine Machines without an entry have the default. Those with the same policies share one list. */
  constructor(byMachine: ReadonlyMap<number, readonly PolicyOfGroup[]> = new Map()) {
    this.#byMachine = byMachine;
  }

  of(machineId: number): readonly PolicyOfGroup[] {
    return this.#byMachine.get(machineId) ?? defaultPolicies;
  }

  /** Each list that a machine can have, once. */
  get lists(): readonly (readonly PolicyOfGroup[])[] {
    return [...new Set([defaultPolicies, ...this.#byMachine.values()])];
  }
}

/** Searches the machines of all groups as soon as one has a policy: those without one count with the default. */
export async function readMachinePolicies(
  database: Queryable,
  findIds: FindIds,
  now: number,
): Promise<MachinePolicies> {
  const groups = await readGroups(database);
  if (groups.every(({ duePolicy }) => duePolicy === null)) return new MachinePolicies();
  const found = new Map<number, Set<PolicyOfGroup>>();
  for (const group of groups) {
    const policies = toPolicies(group);
    for (const id of await findValidMachines(database, findIds, group, now)) {
      const own = found.get(id) ?? new Set();
      found.set(id, own);
      for (const policy of policies) own.add(policy);
    }
  }
  const lists = new Map<string, readonly PolicyOfGroup[]>();
  const byMachine = new Map<number, readonly PolicyOfGroup[]>();
  for (const [id, own] of found) {
    const key = Array.from(own, ({ group }) => group ?? '').join('\n');
    const list = lists.get(key) ?? [...own];
    lists.set(key, list);
    byMachine.set(id, list);
  }
  return new MachinePolicies(byMachine);
}

const toPolicies = ({ name, duePolicy }: StoredGroup): readonly PolicyOfGroup[] =>
  duePolicy === null ? defaultPolicies : [{ group: name, policy: duePolicy }];
