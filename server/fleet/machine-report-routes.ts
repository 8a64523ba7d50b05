/** The calls with which licensed clients report their machines. A client reaches its own machines only: its token says which they are. */
import {
  removeReportedMachineEndpoint,
  reportMachinesEndpoint,
} from '@patch/contract/machine-report-endpoints.ts';
import type { CallingClient } from '../platform/http/authenticate.ts';
import type { RouteRegistrar } from '../platform/http/route.ts';
import type { Intake } from './intake.ts';
import { removeReported } from './remove-machines.ts';
import type { FleetContext } from './take-reports.ts';
import { partMachines } from './unreadable-machines.ts';

export function machineReportRoutes(
  route: RouteRegistrar,
  context: FleetContext & { readonly intake: Intake },
): void {
  route(reportMachinesEndpoint, async ({ client, body, signal, changed }) => {
    const parted = partMachines(body.machines);
    const taken = await context.intake.take(idOf(client), parted.readable, signal);
    for (const { key, namesOfKey } of taken)
      if (namesOfKey !== undefined)
        changed({
          subject: `several machines report the key ${key}`,
          after: { names: namesOfKey },
        });
    return { machines: parted.outcomes(taken) };
  });

  route(removeReportedMachineEndpoint, async ({ client, params }) => {
    await removeReported(context, idOf(client), params.key);
    return {};
  });
}

/** Calls with the access `client` reach their handler only after the token has been authenticated. */
function idOf(client: CallingClient | null): number {
  if (client === null) throw new Error('A client call reached its handler without a client');
  return client.id;
}
