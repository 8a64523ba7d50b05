/** Concludes how far the tasks of plans are on each machine, from the standing judgement and the times of reports. */
import {
  type PlanTask,
  type TaskState,
  taskStates,
} from '@patch/contract/machine-plan-endpoints.ts';
import { toRecordKey } from '../../machines/machine-records-store.ts';
import type { ActiveExceptions } from '../judgement/missing-exception-store.ts';
import type { MachineReader } from './machine-reader.ts';
import { rememberMovedTo } from './moved-release.ts';
import type { StoredTask } from './plan-store.ts';
import type { PlannedMachine } from './planned-machine-store.ts';

export type TaskToFollow = Pick<StoredTask, 'system' | 'updates' | 'machines' | 'window'> & {
  /** When the plan was made, epoch milliseconds. */
  readonly createdAt: number;
};

/** The state of a task on a machine. */
export type MachineState = Omit<PlanTask['machines'][number], 'id'>;

interface Followed {
  readonly task: TaskToFollow;
  readonly states: Map<number, MachineState>;
}

export class FollowedTasks {
  /** The names of the machines that exist. */
  readonly names = new Map<number, string>();
  readonly #tasks: readonly Followed[];
  readonly #ofMachine: ReadonlyMap<number, readonly number[]>;
  /** By the id of a missing record: the indexes of the tasks that have its update. */
  readonly #ofUpdate: ReadonlyMap<number, readonly number[]>;
  readonly #ofPart = new Map<number, readonly FoundUpdate[]>();
  readonly #known: FollowOptions;
  readonly #findMovedTo = rememberMovedTo();

  /** @param missingIds Ids of `missing_record`, by the keys of the updates that a machine misses. */
  constructor(
    tasks: readonly TaskToFollow[],
    missingIds: ReadonlyMap<string, number>,
    known: FollowOptions,
  ) {
    this.#tasks = tasks.map((task) => ({ task, states: new Map() }));
    this.#known = known;
    this.#ofMachine = indexBy(tasks, ({ machines }) => machines);
    this.#ofUpdate = indexBy(tasks, ({ updates }) =>
      updates.flatMap(({ list, recordId }) => missingIds.get(toRecordKey(list, recordId)) ?? []),
    );
  }

  get machineIds(): Iterable<number> {
    return this.#ofMachine.keys();
  }

  add(machine: PlannedMachine): void {
    this.names.set(machine.id, machine.name);
    const { exceptions } = this.#known;
    const found = new Uint8Array(this.#tasks.length);
    for (const part of machine.parts)
      for (const { task, missingId, mark } of this.#updatesOf(part)) {
        const isAccepted = exceptions.covers(machine.clientId, machine.id, missingId);
        found[task] = (found[task] ?? 0) | (isAccepted ? accepted : mark);
      }
    for (const index of this.#ofMachine.get(machine.id) ?? []) {
      const one = this.#tasks[index];
      one?.states.set(machine.id, this.#stateOn(machine, one.task, found[index] ?? 0));
    }
  }

  /** Returns the states by task, in the order of its machines. */
  states(): readonly (readonly MachineState[])[] {
    return this.#tasks.map(({ task, states }) =>
      task.machines.map((id) => states.get(id) ?? unknownState),
    );
  }

  #updatesOf(part: number): readonly FoundUpdate[] {
    const known = this.#ofPart.get(part);
    if (known !== undefined) return known;
    const { missing, uncertain } = this.#known;
    const find = (ids: readonly number[] | undefined, mark: number) =>
      (ids ?? []).flatMap((missingId) =>
        (this.#ofUpdate.get(missingId) ?? []).map((task) => ({ task, missingId, mark })),
      );
    const updates = [...find(missing.get(part), left), ...find(uncertain.get(part), doubted)];
    this.#ofPart.set(part, updates);
    return updates;
  }

  /** A machine that moved to another release misses other records there, and is no machine of the task any more. */
  #stateOn(machine: PlannedMachine, task: TaskToFollow, found: number): MachineState {
    const movedTo = this.#findMovedTo(task.system, machine);
    return movedTo === null
      ? { state: stateOf(task, machine, found, this.#known.now) }
      : { state: 'moved', movedTo };
  }
}

interface FollowOptions extends Pick<MachineReader, 'missing' | 'uncertain'> {
  readonly exceptions: ActiveExceptions;
  readonly now: number;
}

/** An update of a task that a part misses. */
interface FoundUpdate {
  /** Index of the task. */
  readonly task: number;
  readonly missingId: number;
  readonly mark: number;
}

/** Marks of the updates of a task that a machine misses: certainly; perhaps, so that the last report does not show it; accepted. */
const [left, doubted, accepted] = [1, 2, 4];

/** Returns by value the indexes of the tasks that have it. */
function indexBy(
  tasks: readonly TaskToFollow[],
  valuesOf: (task: TaskToFollow) => readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const indexes = new Map<number, number[]>();
  for (const [index, task] of tasks.entries())
    for (const value of new Set(valuesOf(task))) {
      const own = indexes.get(value) ?? [];
      indexes.set(value, own);
      own.push(index);
    }
  return indexes;
}

export const unknownState: MachineState = { state: 'unknown' };

/**
 * Returns the state of a task on a machine. A machine whose last report is not judged yet keeps the state that earlier reports gave it. A
 * task with an accepted update is not done: the machine still misses the update.
 */
function stateOf(
  { window, createdAt }: TaskToFollow,
  { isCounted, notJudged, lastSeen }: PlannedMachine,
  found: number,
  now: number,
): TaskState {
  if (found & left) {
    if (window === null) return 'open';
    if (now <= window.until) return 'scheduled';
    return isCounted && lastSeen > Math.max(window.until, createdAt) ? 'failed' : 'waiting';
  }
  if (!isCounted || notJudged || found & doubted) return 'unknown';
  return lastSeen > createdAt && !(found & accepted) ? 'done' : 'notNeeded';
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
