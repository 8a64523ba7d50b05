/** Counts, with each tally, what the machines of each fleet and of each group miss today. */
import { AppError } from '../../platform/errors/app-error.ts';
import { readMachinePolicies } from '../due/machine-policies.ts';
import { readGroups, type StoredGroup } from '../groups/machine-group-store.ts';
import { type FindIds, findMachinesOfGroup } from '../groups/machines-of-group.ts';
import type { FleetWork } from '../judgement/fleet-lease-store.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { findAllOverdue } from '../missing/fleet-summary-store.ts';
import { machineFinder } from '../missing/missing-criteria.ts';
import {
  type FleetDay,
  type MachineOfDay,
  readFleets,
  readMachinesOfDay,
  toDay,
  writeFleetDays,
} from './fleet-day-store.ts';
import { announceOverdue } from './overdue-event-store.ts';

/** Replaces what an earlier tally of the day counted, and announces machines that are overdue since. */
export async function countDays({ database, signal, keepLease, clock }: FleetWork): Promise<void> {
  const now = clock();
  const findIds = machineFinder(database, () => now);
  const policies = await readMachinePolicies(database, findIds, now);
  const overdue = await findAllOverdue(database, { policies, now });
  const machines = await readMachinesOfDay(database);
  const byFleet = Map.groupBy(machines, ({ id }) => clientOfMachine(id));
  const days = (await readFleets(database)).map((clientId) =>
    sumDay({ clientId, criteria: null }, byFleet.get(clientId) ?? [], overdue),
  );
  const byId = new Map(machines.map((machine) => [machine.id, machine]));
  for (const group of await readGroups(database)) {
    signal.throwIfAborted();
    if (group.criteria === null) continue;
    const ids = await findMachines(findIds, database, group, now);
    if (ids === null) continue;
    const own = ids.flatMap((id) => byId.get(id) ?? []);
    days.push(sumDay({ clientId: group.id, criteria: group.criteria }, own, overdue));
  }
  await database.transaction(async (tx) => {
    await keepLease(tx);
    await writeFleetDays(tx, toDay(now), days);
    await announceOverdue(tx, overdue, now);
  });
}

/** A group whose criteria are not valid is not counted: its curve has a gap. */
async function findMachines(
  findIds: FindIds,
  database: FleetWork['database'],
  group: StoredGroup,
  now: number,
): Promise<readonly number[] | null> {
  try {
    return await findMachinesOfGroup(database, findIds, group, now);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unaskable_criteria') return null;
    throw error;
  }
}

function sumDay(
  of: Pick<FleetDay, 'clientId' | 'criteria'>,
  machines: readonly MachineOfDay[],
  overdue: ReadonlySet<number>,
): FleetDay {
  const count = (test: (machine: MachineOfDay) => boolean) => machines.filter(test).length;
  const sum = (what: 'missing' | 'critical' | 'important' | 'exploited') =>
    machines.reduce((total, machine) => total + machine[what], 0);
  return {
    ...of,
    machines: machines.length,
    machinesMissing: count(({ missing }) => missing > 0),
    machinesExploited: count(({ exploited }) => exploited > 0),
    machinesUnjudged: count(({ isJudged }) => !isJudged),
    machinesOverdue: count(({ id }) => overdue.has(id)),
    missing: sum('missing'),
    critical: sum('critical'),
    important: sum('important'),
    exploited: sum('exploited'),
  };
}
