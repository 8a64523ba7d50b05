/** The routes that licensed clients call: they activate, send heartbeats and fetch changes. */
import {
  activateEndpoint,
  clientChangesEndpoint,
  heartbeatEndpoint,
} from '@patch/contract/licensing/client-protocol-endpoints.ts';
import type { CallingClient } from '../../platform/http/authenticate.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { readChangesPage } from './changes-page.ts';
import { activateClient } from './client-authenticator.ts';
import type { ProtocolContext } from './client-context.ts';
import { answerHeartbeat } from './client-heartbeat.ts';

export function clientProtocolRoutes(route: RouteRegistrar, context: ProtocolContext): void {
  route(activateEndpoint, ({ body, changed }) => activateClient(context, body, changed));

  route(heartbeatEndpoint, async ({ client, body }) =>
    answerHeartbeat(context, requireClientId(client), body),
  );

  route(clientChangesEndpoint, async ({ client, query, knows }) =>
    readChangesPage(context, requireClientId(client), query, knows),
  );
}

/** Returns the client's id. Handlers with the access `client` run only after `findClient` has authenticated the token. */
function requireClientId(client: CallingClient | null): number {
  if (client === null) throw new Error('A client call reached its handler without a client');
  return client.id;
}
