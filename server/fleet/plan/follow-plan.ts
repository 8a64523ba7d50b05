/** Reads plans with how far they are: one pass over their machines for the states and the due dates of their tasks. */
import type { Plan, PlanSummary } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import type { Sight } from '../../platform/http/sight.ts';
import type { SearchStore } from '../../records/search/search-store.ts';
import { findSeenMachines, type SeenMachines } from '../../records/search/seen-machines.ts';
import type { MachinePolicies } from '../due/machine-policies.ts';
import {
  type ActiveExceptions,
  readActiveExceptions,
} from '../judgement/missing-exception-store.ts';
import { inTurns, MachineReader, type PlanWork } from './machine-reader.ts';
import { PlanDueDates } from './plan-due-dates.ts';
import {
  countMachines,
  countStates,
  FollowedTasks,
  indexMachines,
  type MachineState,
  type TasksOfMachines,
  type TaskToFollow,
} from './plan-states.ts';
import { readPlans, readTasks, type StoredPlan, type StoredTask } from './plan-store.ts';
import { type PlannedMachine, readMissingIds, readSameNames } from './planned-machine-store.ts';

/** Returns the plan without machines that do not exist for the caller. */
export function keepSeen<Kept extends Pick<StoredPlan, 'notJudged' | 'beingJudged'>>(
  plan: Kept,
  seen: SeenMachines,
): Kept {
  const exists = ({ id }: { readonly id: number }) => seen?.has(id) !== false;
  return {
    ...plan,
    notJudged: plan.notJudged.filter(exists),
    beingJudged: plan.beingJudged.filter(exists),
  };
}

export async function readSeenTasks(
  { database }: PlanWork,
  planIds: readonly number[],
  seen: SeenMachines,
): Promise<StoredTask[]> {
  const tasks = await readTasks(database, planIds);
  if (seen === null) return [...tasks];
  return tasks
    .map((task) => ({ ...task, machines: task.machines.filter((id) => seen.has(id)) }))
    .filter(({ machines }) => machines.length > 0);
}

/**
 * Reads a plan with the states and the due dates of its tasks.
 * @param seen The machines that exist for the caller.
 * @param reader With what was read when the plan was made.
 */
export async function followPlan(
  work: PlanWork,
  plan: StoredPlan,
  policies: MachinePolicies,
  {
    seen,
    reader = new MachineReader(work),
  }: { readonly seen: SeenMachines; readonly reader?: MachineReader | undefined },
): Promise<Plan> {
  const { database, now } = work;
  const { createdAt } = plan;
  const [stored, exceptions] = await Promise.all([
    readSeenTasks(work, [plan.id], seen),
    readActiveExceptions(database, now),
  ]);
  const ofMachine = indexMachines(stored);
  const missingIds = await readMissingIds(
    database,
    stored.flatMap(({ updates }) => updates),
  );
  const due = await PlanDueDates.read(work, stored, {
    ofMachine,
    missingIds,
    missing: reader.missing,
    policies,
    exceptions,
    now,
  });
  const followed = await followTasks(
    stored.map((task) => ({ ...task, createdAt })),
    { work, reader, ofMachine, missingIds, exceptions },
    (machine) => due.add(machine),
  );
  const { states, names } = followed;
  return {
    ...plan,
    ...countUnplanned(plan),
    tasks: stored.map(({ planId: _planId, updates, machines, ...task }, at) => ({
      ...task,
      updates: updates.map((update, index) => ({
        ...update,
        due: due.dueDates[at]?.[index] ?? null,
      })),
      machines: machines.map((id, index) => stateOn(id, states[at]?.[index])),
      states: countStates(states[at] ?? []),
    })),
    states: countMachines(stored, states),
    names: Array.from(names, ([id, name]) => ({ id, name })),
    sameNames: await readSameNames(database, names),
  };
}

/** Spreading the state takes ten times as long, for tens of thousands of machines of tasks. */
const stateOn = (id: number, { state, movedTo }: MachineState = { state: 'unknown' }) =>
  movedTo === undefined ? { id, state } : { id, state, movedTo };

interface FollowOptions {
  readonly work: PlanWork;
  readonly reader: MachineReader;
  readonly ofMachine: TasksOfMachines;
  /** Of the updates of the tasks, by their keys. */
  readonly missingIds: ReadonlyMap<string, number>;
  readonly exceptions: ActiveExceptions;
}

/** Reads the machines of the tasks, each once. */
async function followTasks(
  tasks: readonly TaskToFollow[],
  { work: { now }, reader, ofMachine, missingIds, exceptions }: FollowOptions,
  onMachine: (machine: PlannedMachine) => void = () => undefined,
): Promise<FollowedTasks> {
  const { missing, uncertain } = reader;
  const known = { missing, uncertain, exceptions, now };
  const followed = new FollowedTasks(tasks, ofMachine, missingIds, known);
  for await (const machines of reader.read(ofMachine.keys()))
    for await (const turn of inTurns(machines))
      for (const machine of turn) {
        followed.add(machine);
        onMachine(machine);
      }
  return followed;
}

const countUnplanned = ({ notJudged, beingJudged, notClosed, heldBack }: StoredPlan) => ({
  unjudged: notJudged.length + beingJudged.length,
  unclosed: notClosed.length,
  leftOut: heldBack.length,
});

/** Reads the machines of the plans of a page, each once. */
export async function summarisePlans(
  work: PlanWork,
  page: Parameters<typeof readPlans>[1],
  store: Pick<SearchStore, 'findIds'>,
  sight: Sight,
): Promise<PlanSummary[]> {
  const seen = await findSeenMachines(store, sight);
  const found = await readPlans(work.database, page, sight);
  const plans = found.map((plan) => keepSeen(plan, seen));
  const createdAt = new Map(plans.map((plan) => [plan.id, plan.createdAt]));
  const stored = await readSeenTasks(
    work,
    plans.map(({ id }) => id),
    seen,
  );
  const [missingIds, exceptions] = await Promise.all([
    readMissingIds(
      work.database,
      stored.flatMap(({ updates }) => updates),
    ),
    readActiveExceptions(work.database, work.now),
  ]);
  const { states } = await followTasks(
    stored.map((task) => ({ ...task, createdAt: createdAt.get(task.planId) ?? work.now })),
    {
      work,
      reader: new MachineReader(work),
      ofMachine: indexMachines(stored),
      missingIds,
      exceptions,
    },
  );
  const followed = stored.map((task, at) => ({ ...task, states: states[at] ?? [] }));
  const byPlan = Map.groupBy(followed, ({ planId }) => planId);
  return plans.map((plan) => {
    const {
      nothingToDo: _nothing,
      notJudged: _not,
      beingJudged: _being,
      notClosed: _closed,
      heldBack: _held,
      ...shown
    } = plan;
    const own = byPlan.get(plan.id) ?? [];
    const counts = countMachines(
      own,
      own.map((task) => task.states),
    );
    return { ...shown, ...countUnplanned(plan), tasks: own.length, states: counts };
  });
}
