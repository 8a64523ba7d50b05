/**
 * Routes for the updates that licensed clients have not fetched: of one client, by list, and for
 * one record.
 */
import {
  clientExposureEndpoint,
  notYetFetchedEndpoint,
  recordNotFetchedEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { type SearchDesk, searchCallerOf } from '../../records/search/search-desk.ts';
import type { ClientContext } from './client-context.ts';
import { countClientExposure } from './client-exposure.ts';
import { countClientsBehindByList, findClientsBehindOnRecord } from './clients-behind.ts';

export function exposureRoutes(
  route: RouteRegistrar,
  { database, clock, desk }: ClientContext & { readonly desk: SearchDesk },
): void {
  route(clientExposureEndpoint, (request) =>
    desk.run(searchCallerOf(request), () =>
      countClientExposure({ database, clock, counts: desk.counts }, request.params.id),
    ),
  );

  route(notYetFetchedEndpoint, (request) =>
    desk.run(searchCallerOf(request), () => countClientsBehindByList(database, clock())),
  );

  route(recordNotFetchedEndpoint, ({ params }) =>
    findClientsBehindOnRecord(database, clock(), params),
  );
}
