/** Concludes how far the tasks of plans are on each machine, from the standing judgement and the times of reports. */
import {
  type PlanTask,
  type TaskState,
  taskStates,
} from '@patch/contract/fleet/machine-plan-endpoints.ts';
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

/** The state of a task on a machine. Machines with the same state share the object. */
export type MachineState = Omit<PlanTask['machines'][number], 'id'>;

const plainStates = Object.fromEntries(taskStates.map((state) => [state, { state }])) as Record<
  TaskState,
  MachineState
>;

export class FollowedTasks {
  /** The names of the machines that exist. */
  readonly names = new Map<number, string>();
  /** By task, the states in the order of its machines. */
  readonly states: readonly MachineState[][];
  readonly #tasks: readonly TaskToFollow[];
  readonly #ofMachine: TasksOfMachines;
  /** By the id of a missing record: the indexes of the tasks that have its update. */
  readonly #ofUpdate: ReadonlyMap<number, readonly number[]>;
  readonly #ofPart = new Map<number, readonly FoundUpdate[]>();
  readonly #known: FollowOptions;
  readonly #movedFrom = rememberMovedTo();
  /** By task: the number of its machines that were passed. */
  readonly #passed: Uint32Array;

  /** @param missingIds Ids of `missing_record`, by the keys of the updates that a machine misses. */
  constructor(
    tasks: readonly TaskToFollow[],
    ofMachine: TasksOfMachines,
    missingIds: ReadonlyMap<string, number>,
    known: FollowOptions,
  ) {
    this.states = tasks.map(({ machines }) => machines.map(() => plainStates.unknown));
    this.#tasks = tasks;
    this.#known = known;
    this.#ofMachine = ofMachine;
    this.#passed = new Uint32Array(tasks.length);
    this.#ofUpdate = indexBy(tasks, ({ updates }) => [
      ...new Set(
        updates.flatMap(({ list, recordId }) => missingIds.get(toRecordKey(list, recordId)) ?? []),
      ),
    ]);
  }

  /** Requires machines in the order of their ids. */
  add(machine: PlannedMachine): void {
    const { id, clientId, name, parts } = machine;
    this.names.set(id, name);
    const { exceptions, now } = this.#known;
    const found = new Uint8Array(this.#tasks.length);
    for (const part of parts)
      for (const { task, missingId, mark } of this.#updatesOf(part)) {
        const isAccepted = exceptions.covers(clientId, id, missingId);
        found[task] = (found[task] ?? 0) | (isAccepted ? accepted : mark);
      }
    const findMovedTo = this.#movedFrom(machine);
    for (const index of this.#ofMachine.get(id) ?? []) {
      const task = this.#tasks[index];
      const states = this.states[index];
      if (task === undefined || states === undefined) continue;
      // A machine that moved to another release misses other records there, and is no machine of the task any more.
      states[this.#positionOf(id, index, task)] =
        findMovedTo(task.system) ?? plainStates[stateOf(task, machine, found[index] ?? 0, now)];
    }
  }

  /** Passes machines of the task that do not exist any more. */
  #positionOf(id: number, index: number, { machines }: TaskToFollow): number {
    let position = this.#passed[index] ?? 0;
    while ((machines[position] ?? id) < id) position += 1;
    this.#passed[index] = position;
    return position;
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

/** By the id of a machine, the indexes of its tasks. */
export type TasksOfMachines = ReadonlyMap<number, readonly number[]>;

export const indexMachines = (tasks: readonly Pick<TaskToFollow, 'machines'>[]): TasksOfMachines =>
  indexBy(tasks, ({ machines }) => machines);

/** Returns by value the indexes of the tasks that have it. */
function indexBy<Task>(
  tasks: readonly Task[],
  valuesOf: (task: Task) => readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const indexes = new Map<number, number[]>();
  for (const [index, task] of tasks.entries())
    for (const value of valuesOf(task)) {
      const own = indexes.get(value);
      if (own === undefined) indexes.set(value, [index]);
      else own.push(index);
    }
  return indexes;
}

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

export const countStates = (states: readonly MachineState[]): Record<TaskState, number> => {
  const counts = Object.fromEntries(taskStates.map((state) => [state, 0])) as Record<
    TaskState,
    number
  >;
  for (const { state } of states) counts[state] += 1;
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
  tasks: readonly Pick<TaskToFollow, 'machines'>[],
  states: readonly (readonly MachineState[])[],
): Record<TaskState, number> {
  const worst = new Map<number, number>();
  for (const [index, { machines }] of tasks.entries())
    for (const [position, id] of machines.entries()) {
      const rank = ranks[states[index]?.[position]?.state ?? 'unknown'];
      const before = worst.get(id);
      if (before === undefined || rank < before) worst.set(id, rank);
    }
  const counts = countStates([]);
  for (const rank of worst.values()) counts[leastDone[rank] ?? 'unknown'] += 1;
  return counts;
}

const ranks = Object.fromEntries(leastDone.map((state, rank) => [state, rank])) as Record<
  TaskState,
  number
>;
