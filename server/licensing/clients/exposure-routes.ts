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
  { database, clock, searchService }: ClientContext & { readonly searchService: SearchService },
): void {
  route(clientExposureEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () =>
      countClientExposure({ database, clock, counts: searchService.counts }, request.params.id),
    ),
  );

  route(notYetFetchedEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () => countClientsBehindByList(database, clock())),
  );

  route(recordNotFetchedEndpoint, ({ params }) =>
    findClientsBehindOnRecord(database, clock(), params),
  );
}
