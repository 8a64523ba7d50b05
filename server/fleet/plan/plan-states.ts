/** Concludes how far the tasks of plans are on each machine, from the standing judgement and the times of reports. */
import { setImmediate as others } from 'node:timers/promises';
import {
  type PlanTask,
  type TaskState,
  taskStates,
} from '@patch/contract/machine-plan-endpoints.ts';
import { toRecordKey } from '../../machines/machine-records-store.ts';
import { readActiveExceptions } from '../judgement/missing-exception-store.ts';
import { readPartsMissing, readPartsUncertain } from '../judgement/part-missing-store.ts';
import type { PlanWork } from './machine-steps.ts';
import { type FindMovedTo, rememberMovedTo } from './moved-release.ts';
import type { StoredTask } from './plan-store.ts';
import {
  type PlannedMachine,
  readMissingIds,
  readPlannedMachines,
} from './planned-machine-store.ts';

export type TaskToFollow = Pick<StoredTask, 'system' | 'updates' | 'machines' | 'window'> & {
  /** When the plan was made, epoch milliseconds. */
  readonly createdAt: number;
};

/** The state of a task on a machine. */
export type MachineState = Omit<PlanTask['machines'][number], 'id'>;

interface Followed {
  readonly task: TaskToFollow;
  /** Ids of `missing_record` of its updates, as far as machines miss them. */
  readonly stepIds: ReadonlySet<number>;
}

/** Machines between which other requests run. */
const machinesInTurn = 50;

/** Returns the states of the tasks on their machines, and the names of their machines that exist. */
export async function followTasks(
  { database, signal, now }: PlanWork,
  tasks: readonly TaskToFollow[],
): Promise<{
  /** By task, in the order of its machines. */
  readonly states: readonly (readonly MachineState[])[];
  readonly names: ReadonlyMap<number, string>;
}> {
  const known = await readMissingIds(
    database,
    tasks.flatMap(({ updates }) => updates),
  );
  const followed = tasks.map((task): Followed => {
    const ids = task.updates.map(({ list, recordId }) => known.get(toRecordKey(list, recordId)));
    return { task, stepIds: new Set(ids.filter((id) => id !== undefined)) };
  });
  const ofMachine = Map.groupBy(
    followed.flatMap((one) => one.task.machines.map((id) => ({ id, one }))),
    ({ id }) => id,
  );
  const states = new Map(followed.map((one) => [one, new Map<number, MachineState>()]));
  const names = new Map<number, string>();
  const context = { now, findMovedTo: rememberMovedTo() };
  const exceptions = await readActiveExceptions(database, now);
  const all = [...new Set(followed.flatMap(({ stepIds }) => [...stepIds]))];
  const missing = await readPartsMissing(database, all);
  const uncertain = await readPartsUncertain(database, all);
  const ids = [...ofMachine.keys()].toSorted((a, b) => a - b);
  for await (const machines of readPlannedMachines(database, ids)) {
    signal.throwIfAborted();
    for (const [at, machine] of machines.entries()) {
      if (at % machinesInTurn === 0) await others();
      names.set(machine.id, machine.name);
      const isAccepted = (id: number) => exceptions.covers(machine.clientId, machine.id, id);
      const left = machine.parts.flatMap((part) => missing.get(part) ?? []);
      const doubted = machine.parts.flatMap((part) => uncertain.get(part) ?? []);
      const missed: Missed = {
        left: new Set(left.filter((id) => !isAccepted(id))),
        uncertain: new Set(doubted.filter((id) => !isAccepted(id))),
        accepted: new Set([...left, ...doubted].filter(isAccepted)),
      };
      for (const { one } of ofMachine.get(machine.id) ?? [])
        states.get(one)?.set(machine.id, machineStateOf(one, machine, missed, context));
    }
  }
  return {
    states: followed.map((one) =>
      one.task.machines.map((id) => states.get(one)?.get(id) ?? unknownState),
    ),
    names,
  };
}

export const unknownState: MachineState = { state: 'unknown' };

interface Missed {
  readonly left: ReadonlySet<number>;
  /** Missing perhaps: the last report does not show it. */
  readonly uncertain: ReadonlySet<number>;
  readonly accepted: ReadonlySet<number>;
}

/** A machine that moved to another release misses other records there, and is no machine of the task any more. */
function machineStateOf(
  followed: Followed,
  machine: PlannedMachine,
  missed: Missed,
  { now, findMovedTo }: Pick<PlanWork, 'now'> & { readonly findMovedTo: FindMovedTo },
): MachineState {
  const movedTo = findMovedTo(followed.task.system, machine);
  return movedTo === null
    ? { state: stateOf(followed, machine, missed, now) }
    : { state: 'moved', movedTo };
}

/**
 * Returns the state of a task on a machine. A machine whose last report is not judged yet keeps the state that earlier reports gave it. A
 * task with an accepted update is not done: the machine still misses the update.
 */
function stateOf(
  { task: { window, createdAt }, stepIds }: Followed,
  { isCounted, notJudged, lastSeen }: PlannedMachine,
  { left, uncertain, accepted }: Missed,
  now: number,
): TaskState {
  if (!stepIds.isDisjointFrom(left)) {
    if (window === null) return 'open';
    if (now <= window.until) return 'scheduled';
    return isCounted && lastSeen > Math.max(window.until, createdAt) ? 'failed' : 'waiting';
  }
  if (!isCounted || notJudged || !stepIds.isDisjointFrom(uncertain)) return 'unknown';
  return lastSeen > createdAt && stepIds.isDisjointFrom(accepted) ? 'done' : 'notNeeded';
}

export const countStates = (states: Iterable<TaskState>): Record<TaskState, number> => {
  const counts = Object.fromEntries(taskStates.map((state) => [state, 0])) as Record<
    TaskState,
    number
  >;
  for (const state of states) counts[state] += 1;
  return counts;
};

/** From what is least done to what is done. */
const leastDone: readonly TaskState[] = [
  'failed',
  'open',
  'waiting',
  'scheduled',
  'moved',
  'unknown',
  'notNeeded',
  'done',
];

/** Counts the machines of tasks, each once, by the task that is least done. */
export function countMachines(
  tasks: readonly {
    readonly machines: readonly { readonly id: number; readonly state: TaskState }[];
  }[],
): Record<TaskState, number> {
  const worst = new Map<number, number>();
  for (const { id, state } of tasks.flatMap(({ machines }) => machines))
    worst.set(id, Math.min(worst.get(id) ?? leastDone.length, leastDone.indexOf(state)));
  return countStates(Array.from(worst.values(), (rank) => leastDone[rank] ?? 'unknown'));
}
