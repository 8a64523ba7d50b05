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
  planEndpoint,
  planFileEndpoint,
  plansEndpoint,
  removePlanEndpoint,
  schedulePlanTaskEndpoint,
} from '@patch/contract/fleet/machine-plan-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import { FileStream, type RouteRegistrar } from '../../platform/http/route.ts';
import type { Sight } from '../../platform/http/sight.ts';
import {
  isReference,
  listNameSpellings,
} from '../../records/criteria/identifier-criteria-store.ts';
import { findRecordsByNames } from '../../records/criteria/records-by-name-store.ts';
import { getSearchCaller, type SearchService } from '../../records/search/search-service.ts';
import { findSeenMachines } from '../../records/search/seen-machines.ts';
import { readMachinePolicies } from '../due/machine-policies.ts';
import { findGroupsOfSearch, searchToActOn } from '../groups/machines-of-group.ts';
import { findMissedRecords } from '../missing/missed-record-store.ts';
import type { Closed } from './chosen-records.ts';
import { followPlan, keepSeen, readSeenTasks, summarisePlans } from './follow-plan.ts';
import { MachineReader, type PlanWork } from './machine-reader.ts';
import { makePlan } from './make-plan.ts';
import { planFileForms } from './plan-files.ts';
import {
  addPlan,
  countPlans,
  lockPlans,
  readPlan,
  removePlan,
  type StoredPlan,
  writeWindow,
} from './plan-store.ts';

interface PlanRoutes {
  readonly database: Database;
  readonly clock: () => number;
  readonly searchService: SearchService;
}

export function planRoutes(route: RouteRegistrar, parts: PlanRoutes): void {
  const { database, clock, searchService } = parts;
  const workOf = (signal: AbortSignal): PlanWork => ({ database, signal, now: clock() });
  const readWhole = async (id: number, work: PlanWork, sight: Sight, reader?: MachineReader) => {
    const [seen, plan, policies] = await Promise.all([
      findSeenMachines(searchService.store, sight),
      requirePlan(database, id, sight),
      readPolicies(work, parts),
    ]);
    return followPlan(work, keepSeen(plan, seen), policies, { seen, reader });
  };

  route(plansEndpoint, async (request) => {
    const objList = await searchService.run(getSearchCaller(request), () =>
      summarisePlans(workOf(request.signal), request.query, searchService.store, request.sight),
    );
    return { objList, totalCount: await countPlans(database, request.sight) };
  });

  route(createPlanEndpoint, async ({ body, changed, ...request }) => {
    const by = requireUser(request).name;
    const { sight } = request;
    const work = workOf(request.signal);
    const plan = await searchService.run(getSearchCaller(request), async () => {
      const reader = new MachineReader(work, { keepsMachines: true });
      const id = await createPlan(work, { body, by, reader, sight }, parts);
      return readWhole(id, work, sight, reader);
    });
    changed({
      subject: `plan ${plan.name}`,
      after: { criteria: plan.criteria, choice: plan.choice, machines: plan.machines },
    });
    return plan;
  });

  route(planEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () =>
      readWhole(request.params.id, workOf(request.signal), request.sight),
    ),
  );

  route(
    schedulePlanTaskEndpoint,
    async ({ params: { id, position }, body, changed, ...request }) => {
      const plan = await requirePlan(database, id, request.sight);
      const work = workOf(request.signal);
      const seen = await findSeenMachines(searchService.store, request.sight);
      const tasks = await readSeenTasks(work, [id], seen);
      const task = tasks.find((one) => one.position === position);
      if (task === undefined || !(await writeWindow(database, task, body.window)))
        throw new AppError('no_such_plan', `Plan ${id} has no task ${position}.`);
      changed({
        subject: `task ${position + 1} of plan ${plan.name}`,
        before: { window: task.window },
        after: { window: body.window },
      });
      return readWhole(id, work, request.sight);
    },
  );

  route(removePlanEndpoint, async ({ params: { id }, changed, sight }) => {
    const { name, criteria, choice } = await requirePlan(database, id, sight);
    await removePlan(database, id);
    changed({ subject: `plan ${name}`, before: { criteria, choice } });
    return {};
  });

  route(planFileEndpoint, async (request) => {
    const { id, file } = request.params;
    const plan = await searchService.run(getSearchCaller(request), () =>
      readWhole(id, workOf(request.signal), request.sight),
    );
    const { type, write } = planFileForms[file];
    return new FileStream(file, type, Readable.from(write(plan))) as never;
  });
}

const readPolicies = (
  { database, now }: PlanWork,
  { searchService: { store } }: Pick<PlanRoutes, 'searchService'>,
) => readMachinePolicies(database, (search) => store.findIds(search), now);

/** Returns the number of the plan. @throws AppError `too_many_machines`, `too_many_plans` */
async function createPlan(
  work: PlanWork,
  {
    body,
    by,
    reader,
    sight,
  }: {
    readonly body: NewPlan;
    readonly by: string;
    readonly reader: MachineReader;
    readonly sight: Sight;
  },
  parts: PlanRoutes,
): Promise<number> {
  const { database, now } = work;
  const { name, criteria, choice, records = [] } = body;
  const search = await searchToActOn(database, body.criteria, now, sight);
  const ids = await parts.searchService.store.findIds(search);
  assertPlannable(ids.length);
  const made = await makePlan(work, ids, await closedBy(work, body, parts), reader);
  return database.transaction(async (tx) => {
    if ((await lockPlans(tx)) >= maxPlans)
      throw new AppError(
        'too_many_plans',
        `There are ${maxPlans} plans already. Remove one first.`,
      );
    const machineGroups = sight.groups ?? (await findGroupsOfSearch(tx, search));
    const asked = { name, criteria, choice, records, createdAt: now, createdBy: by, machineGroups };
    return addPlan(tx, { ...asked, ...made.plan }, made.tasks);
  });
}

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

async function requirePlan(database: Database, id: number, sight: Sight): Promise<StoredPlan> {
  const plan = await readPlan(database, id, sight);
  if (plan === null) throw new AppError('no_such_plan', `Plan ${id} does not exist.`);
  return plan;
}
