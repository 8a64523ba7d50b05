/** What the machines of clients miss, for people: by machine, by record. The list itself is searched and read like every other. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import {
  machineMissingEndpoint,
  recordMachinesEndpoint,
  removeMachineEndpoint,
} from '@patch/contract/machine-endpoints.ts';
import { AppError } from '../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../platform/http/route.ts';
import { missingOfMachine } from './machine-missing-store.ts';
import { machinesMissing } from './record-machines-store.ts';
import { type FleetContext, removeMachine } from './take-reports.ts';

export function machineListRoutes(route: RouteRegistrar, context: FleetContext): void {
  const { database, clock } = context;

  route(machineMissingEndpoint, async ({ params: { id }, query: { offset, size } }) => {
    const found = await missingOfMachine(database, id, clock());
    if (found === null) throw new AppError('not_found', `There is no machine ${id}.`);
    return {
      objList: found.records.slice(offset, offset + size),
      totalCount: found.records.length,
      judgedOn: found.judgedOn,
      notJudged: found.notJudged,
    };
  });

  route(recordMachinesEndpoint, async ({ params, query }) => {
    const list = catalogueLists.find(({ key, source }) => key === params.list && source !== null);
    if (list === undefined)
      throw new AppError('not_found', `There is no list of patches ${params.list}.`);
    const found = await machinesMissing(
      database,
      { list: list.key, recordId: params.recordId },
      { ...query, now: clock() },
    );
    return { ...found, objList: [...found.objList] };
  });

  route(removeMachineEndpoint, async ({ params: { id }, changed }) => {
    const machine = await removeMachine(context, id);
    changed({ subject: `machine ${machine.name}`, before: machine });
    return {};
  });
}
