/** Stores plans and their tasks. */
import {
  Plan,
  type PlanChoice,
  PlanTask,
  PlanUpdate,
  type PlanWindow,
} from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { type Sight, unlimitedSight } from '../../platform/http/sight.ts';
import { encodeNumbers, NumberSet } from '../parts/number-set.ts';
import type { TaskToStore } from './plan-tasks.ts';

const PlanRow = Plan.pick({
  id: true,
  name: true,
  criteria: true,
  choice: true,
  records: true,
  createdAt: true,
  createdBy: true,
  machines: true,
  nothingToDo: true,
  mayMiss: true,
  notJudged: true,
  beingJudged: true,
  notClosed: true,
  heldBack: true,
});
export type StoredPlan = z.infer<typeof PlanRow>;

const planColumns = sql.columns(PlanRow, { createdAt: 'created_time' });

const TaskRow = PlanTask.pick({
  position: true,
  system: true,
  manager: true,
  command: true,
  restart: true,
  window: true,
}).extend({
  planId: z.number(),
  machines: NumberSet,
  // Due dates follow from the policies when a plan is read.
  updates: z.array(PlanUpdate.omit({ due: true })),
});
export type StoredTask = z.infer<typeof TaskRow>;

const taskColumns = sql.columns(TaskRow, {
  window: `case when window_from is not null then json_build_object('from', window_from, 'until', window_until) end`,
});

/** The plans that exist for a caller: those of machines of own groups alone, which exist. */
const existFor = ({ groups }: Sight) =>
  groups === null
    ? sql`true`
    : sql`(machine_groups <@ ${arrayText(groups)}::bigint[] and machine_groups <> '{}'
      and (select count(*) from machine_group where id = any(machine_groups)) = cardinality(machine_groups))`;

/** Returns a page of the plans, the newest first. */
export const readPlans = (
  database: Queryable,
  { offset, size }: { readonly offset: number; readonly size: number },
  sight: Sight,
) =>
  query.rows(
    database,
    PlanRow,
  )`select ${planColumns} from machine_plan where ${existFor(sight)} order by created_time desc, id desc limit ${size} offset ${offset}`;

export const countPlans = (database: Queryable, sight: Sight) =>
  query.requiredValue(
    database,
    z.number(),
  )`select count(*) from machine_plan where ${existFor(sight)}`;

export const readPlan = (database: Queryable, id: number, sight: Sight) =>
  query.row(
    database,
    PlanRow,
  )`select ${planColumns} from machine_plan where id = ${id} and ${existFor(sight)}`;

/** Returns the tasks of plans, in their order. */
export const readTasks = (database: Queryable, planIds: readonly number[]) =>
  query.rows(database, TaskRow)`
    select ${taskColumns} from machine_plan_task where plan_id = any(${arrayText(planIds)}::bigint[]) order by plan_id, position`;

/** Makes creations of plans wait for each other until the transaction ends. Returns how many exist. */
export async function lockPlans(tx: Queryable): Promise<number> {
  await query.run(tx)`lock table machine_plan in share row exclusive mode`;
  return countPlans(tx, unlimitedSight);
}

export interface PlanToStore extends Omit<StoredPlan, 'id'> {
  readonly choice: PlanChoice;
  /** Groups that all of its machines were of; null: of any machines. */
  readonly machineGroups: readonly number[] | null;
}

/** Returns the number of the plan. */
export async function addPlan(
  tx: Queryable,
  {
    createdAt,
    machineGroups,
    records,
    notJudged,
    beingJudged,
    notClosed,
    heldBack,
    ...plan
  }: PlanToStore,
  tasks: readonly TaskToStore[],
): Promise<number> {
  const row = {
    ...plan,
    createdTime: createdAt,
    machineGroups: machineGroups === null ? null : arrayText(machineGroups),
    records: JSON.stringify(records),
    notJudged: JSON.stringify(notJudged),
    beingJudged: JSON.stringify(beingJudged),
    notClosed: JSON.stringify(notClosed),
    heldBack: JSON.stringify(heldBack),
  };
  const planId = await query.requiredValue(tx, z.number())`
    insert into machine_plan ${sql.values(row)} returning id`;
  const rows = tasks.map(({ updates, machines, ...task }, position) => ({
    ...task,
    position,
    updates: JSON.stringify(updates),
    machines: encodeNumbers(machines).toString('hex'),
  }));
  await query.run(tx)`
    insert into machine_plan_task (plan_id, position, system, manager, command, restart, updates, machines)
    select ${planId}, position, system, manager, command, restart, updates::jsonb, decode(machines, 'hex')
    from json_to_recordset(${JSON.stringify(rows)})
      as task(position int, system text, manager text, command text, restart text, updates text, machines text)`;
  return planId;
}

/** Returns false when the plan has no such task. */
export const writeWindow = (
  tx: Queryable,
  { planId, position }: Pick<StoredTask, 'planId' | 'position'>,
  window: PlanWindow | null,
) => query.runOne(tx)`
  update machine_plan_task set window_from = ${window?.from ?? null}, window_until = ${window?.until ?? null}
  where plan_id = ${planId} and position = ${position}`;

export const removePlan = (tx: Queryable, id: number) =>
  query.runOne(tx)`delete from machine_plan where id = ${id}`;
