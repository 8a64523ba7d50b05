/**
 * Routes with which licensed clients report their machines. The token identifies the client, which reaches only its own machines.
 */
import {
  removeReportedMachineEndpoint,
  reportMachinesEndpoint,
} from '@patch/contract/machine-report-endpoints.ts';
import type { CallingClient } from '../../platform/http/authenticate.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Intake } from './intake.ts';
import { removeReported } from './remove-machines.ts';
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
