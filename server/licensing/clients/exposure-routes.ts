/** The routes that tell what licensed clients have not fetched yet: one client, all clients by list, and the clients that lack one record. */
import {
  clientExposureEndpoint,
  notYetFetchedEndpoint,
  recordNotFetchedEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { type SearchDesk, searchCallerOf } from '../../records/search/search-desk.ts';
import type { ClientContext } from './client-context.ts';
import { exposureOfClient } from './client-exposure.ts';
import { clientsBehindByList, clientsBehindOnRecord } from './clients-behind.ts';

export function exposureRoutes(
  route: RouteRegistrar,
  { database, clock, desk }: ClientContext & { readonly desk: SearchDesk },
): void {
  route(clientExposureEndpoint, (request) =>
    desk.run(searchCallerOf(request), () =>
      exposureOfClient({ database, clock, counts: desk.counts }, request.params.id),
    ),
  );

  route(notYetFetchedEndpoint, (request) =>
    desk.run(searchCallerOf(request), () => clientsBehindByList(database, clock())),
  );

  route(recordNotFetchedEndpoint, ({ params }) => clientsBehindOnRecord(database, clock(), params));
}
