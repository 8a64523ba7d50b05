/** Routes with which licensed clients report and delete their machines. The token identifies the client, which reaches only its own machines. */
import {
  removeReportedMachineEndpoint,
  reportMachinesEndpoint,
} from '@patch/contract/fleet/machine-report-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { CallingClient } from '../../platform/http/authenticate.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Intake } from './intake.ts';
import {
  askForTally,
  deleteMachines,
  lockAllowedFleet,
  lockFleet,
  type MachineSummary,
  readMachineSummary,
} from './machine-store.ts';
import { readKnownReports } from './sent-report-store.ts';
import type { FleetContext } from './take-reports.ts';

export function machineReportRoutes(
  route: RouteRegistrar,
  context: FleetContext & { readonly intake: Intake },
): void {
  route(reportMachinesEndpoint, async ({ client, bytes, signal, changed }) => {
    if (bytes === null) throw new Error('A call that receives reports has no bytes');
    const machines = await context.intake.take(requireClientId(client), bytes, signal);
    for (const { key, namesOfKey } of machines)
      if (namesOfKey !== undefined)
        changed({
          subject: `several machines report the key ${key}`,
          after: { names: namesOfKey },
        });
    return { machines: [...machines] };
  });

  route(removeReportedMachineEndpoint, async ({ client, params }) => {
    await removeReported(context, requireClientId(client), params.key);
    return {};
  });
}

/** Returns the client's id. Handlers with the access `client` run only after the token has been authenticated. */
function requireClientId(client: CallingClient | null): number {
  if (client === null) throw new Error('A client call reached its handler without a client');
  return client.id;
}

/** Deletes a machine on request of its client. */
export async function removeReported(
  { database }: FleetContext,
  clientId: number,
  key: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockAllowedFleet(tx, clientId);
    const known = await readKnownReports(tx, clientId, [key]);
    const ids = [...known.values()].map(({ id }) => id);
    if ((await deleteMachines(tx, clientId, ids)) === 0)
      throw new AppError('not_found', `This client has no machine with the key ${key}.`);
  });
  await askForTally(database);
}

/** Deletes a machine on request of an administrator and returns its description. */
export async function removeMachine(
  { database }: FleetContext,
  id: number,
): Promise<MachineSummary> {
  const removed = await database.transaction(async (tx) => {
    const clientId = await lockFleet(tx, id);
    const machine = await readMachineSummary(tx, id);
    if (machine === null) throw new AppError('not_found', `Machine ${id} does not exist.`);
    await deleteMachines(tx, clientId, [id]);
    return machine;
  });
  await askForTally(database);
  return removed;
}
