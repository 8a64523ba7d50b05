/** Routes of plans. A plan is made from the standing judgement and stored; how far it is follows from later reports. */
import { Readable } from 'node:stream';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import {
  createPlanEndpoint,
  maxPlanMachines,
  maxPlans,
  type NewPlan,
  type Plan,
  type PlanSummary,
  planEndpoint,
  planFileEndpoint,
  plansEndpoint,
  removePlanEndpoint,
  schedulePlanTaskEndpoint,
} from '@patch/contract/machine-plan-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import { FileStream, type RouteRegistrar } from '../../platform/http/route.ts';
import {
  isReference,
  listNameSpellings,
} from '../../records/criteria/identifier-criteria-store.ts';
import { findRecordsByNames } from '../../records/criteria/records-by-name-store.ts';
import { getSearchCaller, type SearchService } from '../../records/search/search-service.ts';
import { readMachinePolicies } from '../due/machine-policies.ts';
import { searchToActOn } from '../groups/machines-of-group.ts';
import { findMissedRecords } from '../missing/missed-record-store.ts';
import type { PlanWork } from './machine-steps.ts';
import { makePlan } from './make-plan.ts';
import type { Closed } from './missing-of-parts.ts';
import { readPlanDueDates } from './plan-due-dates.ts';
import { planFileForms } from './plan-files.ts';
import { countMachines, countStates, followTasks, unknownState } from './plan-states.ts';
import {
  addPlan,
  countPlans,
  lockPlans,
  readPlan,
  readPlans,
  readTasks,
  removePlan,
  type StoredPlan,
  writeWindow,
} from './plan-store.ts';
import { readSameNames } from './planned-machine-store.ts';

interface PlanRoutes {
  readonly database: Database;
  readonly clock: () => number;
  readonly searchService: SearchService;
}

export function planRoutes(route: RouteRegistrar, parts: PlanRoutes): void {
  const { database, clock, searchService } = parts;
  const workOf = (signal: AbortSignal): PlanWork => ({ database, signal, now: clock() });
  const readWhole = async (id: number, signal: AbortSignal) =>
    followPlan(workOf(signal), await requirePlan(database, id), parts);

  route(plansEndpoint, async (request) => {
    const objList = await searchService.run(getSearchCaller(request), () =>
      summarisePlans(workOf(request.signal), request.query),
    );
    return { objList, totalCount: await countPlans(database) };
  });

  route(createPlanEndpoint, async ({ body, changed, ...request }) => {
    const by = requireUser(request).name;
    const plan = await searchService.run(getSearchCaller(request), async () => {
      const work = workOf(request.signal);
      const ids = await searchService.store.findIds(
        await searchToActOn(database, body.criteria, work.now),
      );
      assertPlannable(ids.length);
      const made = await makePlan(work, ids, await closedBy(work, body, parts));
      const { name, criteria, choice } = body;
      const id = await database.transaction(async (tx) => {
        if ((await lockPlans(tx)) >= maxPlans)
          throw new AppError(
            'too_many_plans',
            `There are ${maxPlans} plans already. Remove one first.`,
          );
        const records = body.records ?? [];
        const asked = { name, criteria, choice, records, createdAt: work.now, createdBy: by };
        return addPlan(tx, { ...asked, ...made.plan }, made.tasks);
      });
      return readWhole(id, request.signal);
    });
    changed({
      subject: `plan ${plan.name}`,
      after: { criteria: plan.criteria, choice: plan.choice, machines: plan.machines },
    });
    return plan;
  });

  route(planEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () => readWhole(request.params.id, request.signal)),
  );

  route(
    schedulePlanTaskEndpoint,
    async ({ params: { id, position }, body, changed, ...request }) => {
      const plan = await requirePlan(database, id);
      const task = (await readTasks(database, [id])).find((one) => one.position === position);
      if (task === undefined || !(await writeWindow(database, task, body.window)))
        throw new AppError('no_such_plan', `Plan ${id} has no task ${position}.`);
      changed({
        subject: `task ${position + 1} of plan ${plan.name}`,
        before: { window: task.window },
        after: { window: body.window },
      });
      return followPlan(workOf(request.signal), plan, parts);
    },
  );

  route(removePlanEndpoint, async ({ params: { id }, changed }) => {
    const { name, criteria, choice } = await requirePlan(database, id);
    await removePlan(database, id);
    changed({ subject: `plan ${name}`, before: { criteria, choice } });
    return {};
  });

  route(planFileEndpoint, async (request) => {
    const { id, file } = request.params;
    const plan = await searchService.run(getSearchCaller(request), () =>
      readWhole(id, request.signal),
    );
    const { type, write } = planFileForms[file];
    return new FileStream(file, type, Readable.from(write(plan))) as never;
  });
}

const readPolicies = (
  { database, now }: PlanWork,
  { searchService: { store } }: Pick<PlanRoutes, 'searchService'>,
) => readMachinePolicies(database, (search) => store.findIds(search), now);

function assertPlannable(machines: number): void {
  if (machines > maxPlanMachines)
    throw new AppError(
      'too_many_machines',
      `The criteria find ${machines} machines; a plan has at most ${maxPlanMachines}. Plan them by group.`,
    );
}

/** Returns what the plan is to close: records by their names, or a choice. */
async function closedBy(
  work: PlanWork,
  { choice, records }: Pick<NewPlan, 'choice' | 'records'>,
  parts: Pick<PlanRoutes, 'searchService'>,
): Promise<Closed> {
  const { database } = work;
  if (choice === 'overdue') return readPolicies(work, parts);
  if (choice !== 'records') return choice;
  await assertKnown(database, records ?? []);
  return new Set(
    await findMissedRecords(database, {
      kind: 'oneOf',
      negated: false,
      values: (records ?? []).map(fold),
      name: 'misses',
      definition: getField(machineList, 'misses'),
    }),
  );
}

/** A misspelt name would make a plan that has nothing to do. @throws AppError `not_found` */
async function assertKnown(database: Database, names: readonly string[]): Promise<void> {
  for (const name of names.filter((one) => !isReference(fold(one)))) {
    const found = await findRecordsByNames(database, listNameSpellings(fold(name)));
    if (found.size === 0)
      throw new AppError('not_found', `No record of the catalogue is called '${name}'.`);
  }
}

async function requirePlan(database: Database, id: number): Promise<StoredPlan> {
  const plan = await readPlan(database, id);
  if (plan === null) throw new AppError('no_such_plan', `Plan ${id} does not exist.`);
  return plan;
}

/** Reads a plan with the states of its tasks. */
async function followPlan(
  work: PlanWork,
  plan: StoredPlan,
  parts: Pick<PlanRoutes, 'searchService'>,
): Promise<Plan> {
  const stored = await readTasks(work.database, [plan.id]);
  const { createdAt } = plan;
  const { states: followed, names } = await followTasks(
    work,
    stored.map((task) => ({ ...task, createdAt })),
  );
  const dueDates = await readPlanDueDates(work, stored, await readPolicies(work, parts));
  const tasks = stored.map(({ planId: _planId, updates, ...task }, at) => ({
    ...task,
    updates: updates.map((update, index) => ({ ...update, due: dueDates[at]?.[index] ?? null })),
    machines: task.machines.map((id, index) => ({
      id,
      ...(followed[at]?.[index] ?? unknownState),
    })),
  }));
  return {
    ...plan,
    ...countUnplanned(plan),
    tasks: tasks.map((task) => ({
      ...task,
      states: countStates(task.machines.map(({ state }) => state)),
    })),
    states: countMachines(tasks),
    names: Array.from(names, ([id, name]) => ({ id, name })),
    sameNames: await readSameNames(work.database, names),
  };
}

const countUnplanned = ({ notJudged, beingJudged, notClosed }: StoredPlan) => ({
  unjudged: notJudged.length + beingJudged.length,
  unclosed: notClosed.length,
});

/** Reads the machines of the plans of a page, each once. */
async function summarisePlans(
  work: PlanWork,
  page: Parameters<typeof readPlans>[1],
): Promise<PlanSummary[]> {
  const plans = await readPlans(work.database, page);
  const createdAt = new Map(plans.map((plan) => [plan.id, plan.createdAt]));
  const stored = await readTasks(
    work.database,
    plans.map(({ id }) => id),
  );
  const { states } = await followTasks(
    work,
    stored.map((task) => ({ ...task, createdAt: createdAt.get(task.planId) ?? work.now })),
  );
  const followed = stored.map(({ planId, machines }, at) => ({
    planId,
    machines: machines.map((id, index) => ({ id, ...(states[at]?.[index] ?? unknownState) })),
  }));
  const byPlan = Map.groupBy(followed, ({ planId }) => planId);
  return plans.map((plan) => {
    const {
      nothingToDo: _nothing,
      notJudged: _not,
      beingJudged: _being,
      notClosed: _closed,
      ...shown
    } = plan;
    const own = byPlan.get(plan.id) ?? [];
    return { ...shown, ...countUnplanned(plan), tasks: own.length, states: countMachines(own) };
  });
}
