/** The endpoint that streams the states of the sources. */
import { syncEventsEndpoint } from '@patch/contract/sync-events-endpoint.ts';
import { EventStream } from '../../platform/http/event-stream.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { SyncEvents } from './sync-events.ts';

export function syncEventRoutes(
  route: RouteRegistrar,
  { events }: { readonly events: Pick<SyncEvents, 'listen'> },
): void {
  route(syncEventsEndpoint, async () => new EventStream((signal) => events.listen(signal)));
}
