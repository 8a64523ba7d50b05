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
import { getSearchCaller, type SearchService } from '../../records/search/search-service.ts';
import type { ClientContext } from './client-context.ts';
import { countClientExposure } from './client-exposure.ts';
import { countClientsBehindByList, findClientsBehindOnRecord } from './clients-behind.ts';

export function exposureRoutes(
  route: RouteRegistrar,
  { database, clock, desk }: ClientContext & { readonly desk: SearchService },
): void {
  route(clientExposureEndpoint, (request) =>
    desk.run(getSearchCaller(request), () =>
      countClientExposure({ database, clock, counts: desk.counts }, request.params.id),
    ),
  );

  route(notYetFetchedEndpoint, (request) =>
    desk.run(getSearchCaller(request), () => countClientsBehindByList(database, clock())),
  );

  route(recordNotFetchedEndpoint, ({ params }) =>
    findClientsBehindOnRecord(database, clock(), params),
  );
}
