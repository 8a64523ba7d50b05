/**
 * Routes of the fleet module: machines that clients report, and what people see of what they miss, by machine and by record. The list of
 * machines itself uses the routes of all lists.
 */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import {
  clientMachinesEndpoint,
  fleetSummaryEndpoint,
  type HeldBackReason,
  machineExposureEndpoint,
  machineMissingEndpoint,
  recordMachinesEndpoint,
  removeMachineEndpoint,
} from '@patch/contract/fleet/machine-endpoints.ts';
import { cveMachinesEndpoint } from '@patch/contract/records/vulnerability-endpoint.ts';
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { readRingOfClient } from '../machines/held-back-store.ts';
import { toRecordKey } from '../machines/machine-records-store.ts';
import type { MachineRoutes } from '../machines/machines-plugin.ts';
import { AppError } from '../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../platform/http/route.ts';
import type { Sight } from '../platform/http/sight.ts';
import type { RecordsContext } from '../records/records-context.ts';
import { getSearchCaller } from '../records/search/search-service.ts';
import {
  assertSeen,
  findSeenMachines,
  type SeenMachines,
} from '../records/search/seen-machines.ts';
import { readDueDates } from './due/due-dates.ts';
import { type MachinePolicies, readMachinePolicies } from './due/machine-policies.ts';
import { enrolmentRoutes } from './enrolment/enrolment-routes.ts';
import { exceptionRoutes } from './exceptions/exception-routes.ts';
import { groupRoutes } from './groups/group-routes.ts';
import {
  type FindIds,
  findMachinesOfGroup,
  requireGroupByName,
} from './groups/machines-of-group.ts';
import type { Intake } from './intake/intake.ts';
import { systemShown } from './intake/machine-report.ts';
import { machineReportRoutes, removeMachine } from './intake/machine-report-routes.ts';
import type { FleetContext } from './intake/take-reports.ts';
import { clientOfMachine } from './machines/machine-number.ts';
import {
  findAllOverdue,
  readClientMachines,
  readFleetSummary,
  readMachinesMissing,
} from './missing/fleet-summary-store.ts';
import { readExposure } from './missing/machine-exposure-store.ts';
import { readMachineStanding } from './missing/machine-standing-store.ts';
import { readAssigneesOfMachine } from './notes/assignment-store.ts';
import { noteRoutes } from './notes/note-routes.ts';
import { countNotes } from './notes/note-store.ts';
import { readMachineOfParts } from './parts/inventory-part-store.ts';
import { readGroupSummary } from './plan/group-summary.ts';
import { planRoutes } from './plan/plan-routes.ts';
import { type GroupReportRoutes, groupReportRoutes } from './report/group-report-routes.ts';
import { reportMailRoutes } from './report/report-mail-routes.ts';

export interface FleetOptions extends RecordsContext, MachineRoutes, GroupReportRoutes {
  readonly intake: Intake;
}

const registerFleet: FastifyPluginAsync<FleetOptions> = async (app, context) => {
  machineReportRoutes(app.endpoint, context);
  enrolmentRoutes(app.endpoint, context);
  machineListRoutes(app.endpoint, context);
  exceptionRoutes(app.endpoint, {
    ...context,
    findIds: machineFinder(context),
    findWithin: (named, sight) => findWithin(context, named, sight),
    store: context.searchService.store,
  });
  noteRoutes(app.endpoint, { ...context, store: context.searchService.store });
  groupRoutes(app.endpoint, {
    ...context,
    findIds: machineFinder(context),
    findOverdue: async () => findAllOverdue(context.database, await readPolicies(context)),
  });
  planRoutes(app.endpoint, context);
  groupReportRoutes(app.endpoint, context);
  reportMailRoutes(app.endpoint, context);
};

export const fleetPlugin = fastifyPlugin(registerFleet, {
  name: 'fleet',
  dependencies: ['platform'],
  encapsulate: true,
});

const machineFinder =
  ({ searchService: { store } }: Pick<RecordsContext, 'searchService'>): FindIds =>
  (search) =>
    store.findIds(search);

/**
 * Returns the machines of the group with this name or #number; without one those that exist for the caller.
 * @throws AppError `no_such_group`, also for a group that does not exist for the caller.
 */
async function findWithin(
  context: Pick<FleetContext & RecordsContext, 'database' | 'clock' | 'searchService'>,
  named: string | undefined,
  sight: Sight,
): Promise<SeenMachines> {
  if (named === undefined) return findSeenMachines(context.searchService.store, sight);
  const group = await requireGroupByName(context.database, named, sight);
  return new Set(
    await findMachinesOfGroup(context.database, machineFinder(context), group, context.clock()),
  );
}

/** Returns the policies of all machines as they are now. */
async function readPolicies(
  context: Pick<FleetContext & RecordsContext, 'database' | 'clock' | 'searchService'>,
): Promise<{ readonly now: number; readonly policies: MachinePolicies }> {
  const now = context.clock();
  return {
    now,
    policies: await readMachinePolicies(context.database, machineFinder(context), now),
  };
}

function machineListRoutes(route: RouteRegistrar, context: FleetContext & FleetOptions): void {
  const { database, searchService, assessor } = context;

  route(machineMissingEndpoint, async (request) => {
    const { id } = request.params;
    await assertSeen(searchService.store, request.sight, id);
    const [{ now, policies }, standing, ring] = await Promise.all([
      readPolicies(context),
      readMachineStanding(database, id, context.clock()),
      readRingOfClient(database, clientOfMachine(id)),
    ]);
    if (standing === null) throw new AppError('not_found', `Machine ${id} does not exist.`);
    const { parts, accepted, judgedOn, reportedOn, notJudged } = standing;
    const caller = getSearchCaller(request);
    const { missing, certain, heldBack, ...found } = await searchService.run(caller, async () => {
      const read = await readMachineOfParts(database, parts);
      const machine = read.platform === null ? { ...read, ...systemShown(standing) } : read;
      const assessed = { machine, accepted: new Set(accepted.keys()), ring: ring?.id ?? null };
      return assessor.assessPage(assessed, request.query, request.signal);
    });
    const [{ toDueDate, overdueCount }, assignees, notes] = await Promise.all([
      readDueDates(database, { shown: missing, certain }, policies.of(id), now),
      readAssigneesOfMachine(database, id, missing),
      countNotes(database, id, missing),
    ]);
    const objList = missing.map((record) => {
      const key = toRecordKey(record.list, record.recordId);
      const own = accepted.get(key) ?? null;
      return {
        ...record,
        accepted: own,
        due: toDueDate(record, own !== null),
        assignee: assignees.get(key) ?? null,
        notes: notes.get(key) ?? 0,
        heldBack: heldBack.get(record.recordId) ?? null,
      };
    });
    const countHeldBack = (reason: HeldBackReason) =>
      certain.filter(({ recordId }) => heldBack.get(recordId) === reason).length;
    return {
      ...found,
      missingCount: certain.length,
      overdueCount,
      objList,
      judgedOn,
      reportedOn,
      notJudged,
      ring: ring && {
        ...ring,
        newer: countHeldBack('newer'),
        declined: countHeldBack('declined'),
      },
    };
  });

  exposureRoutes(route, context);

  route(clientMachinesEndpoint, ({ params: { id } }) => readClientMachines(database, id));

  route(removeMachineEndpoint, async ({ params: { id }, changed }) => {
    const machine = await removeMachine(context, id);
    changed({ subject: `machine ${machine.name}`, before: machine });
    return {};
  });
}

/** Which machines miss a record, and how many miss what. */
function exposureRoutes(route: RouteRegistrar, context: FleetContext & FleetOptions): void {
  const { database, searchService } = context;

  route(recordMachinesEndpoint, async ({ params, query, sight }) => {
    const list = catalogueLists.find(({ key, source }) => key === params.list && source !== null);
    if (list === undefined)
      throw new AppError('not_found', `Unknown list of patches '${params.list}'.`);
    return readMachinesMissing(
      database,
      { list: list.key, recordId: params.recordId },
      {
        ...query,
        ...(await readPolicies(context)),
        within: await findSeenMachines(searchService.store, sight),
      },
    );
  });

  const expose = async (name: string, sight: Sight, group?: string) =>
    readExposure(database, name, {
      ...(await readPolicies(context)),
      within: await findWithin(context, group, sight),
    });
  route(machineExposureEndpoint, ({ query: { misses, group }, sight }) =>
    expose(misses, sight, group),
  );
  route(cveMachinesEndpoint, async ({ params: { cve }, sight }) => {
    const exposure = await expose(cve, sight);
    return { reporting: exposure.machines > 0, ...exposure };
  });

  route(fleetSummaryEndpoint, async ({ query: { group }, signal, sight }) => {
    const { now, policies } = await readPolicies(context);
    const within = await findWithin(context, group, sight);
    return within === null
      ? readFleetSummary(database, { now, policies })
      : readGroupSummary({ database, signal, now }, within, policies);
  });
}
