/** Search endpoints of every list: search, relaxed search, and the count of updates where records share them. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { relaxedSearchEndpoint } from '@patch/contract/relaxed-search-endpoint.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
import { updateCountEndpoint } from '@patch/contract/update-count-endpoint.ts';
import { JsonText, type RouteRegistrar } from '../../platform/http/route.ts';
import { readSearch } from '../criteria/search-request.ts';
import { findRelaxedSearches } from './relaxed-search.ts';
import { getSearchCaller, type SearchService } from './search-service.ts';

export function searchRoutes(
  route: RouteRegistrar,
  { searchService }: { readonly searchService: SearchService },
): void {
  for (const list of catalogueLists) {
    route(searchEndpoint(list), async (request) => {
      const { rows, total } = await searchService.find(
        getSearchCaller(request),
        readSearch(list, request.query, request.body, request.seesRestricted),
      );
      return new JsonText(`{"objList":[${rows}],"totalCount":${total}}`);
    });
    route(relaxedSearchEndpoint(list), (request) => {
      const search = readSearch(list, { offset: 0, size: 1 }, request.body, request.seesRestricted);
      return findRelaxedSearches(searchService, getSearchCaller(request), search);
    });
    if (list.countedBy === undefined) continue;
    route(updateCountEndpoint(list), (request) => {
      const search = readSearch(list, { offset: 0, size: 1 }, request.body, request.seesRestricted);
      const caller = getSearchCaller(request);
      return searchService.run(caller, () => searchService.counts.countBoth(search, caller.signal));
    });
  }
}
