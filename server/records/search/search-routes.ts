/** Search endpoints of every list: search, relaxed search, and the count of updates where records share them. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { groupedSearchEndpoint } from '@patch/contract/records/grouped-search-endpoint.ts';
import { queryReadingEndpoint } from '@patch/contract/records/query-reading-endpoint.ts';
import { relaxedSearchEndpoint } from '@patch/contract/records/relaxed-search-endpoint.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { updateCountEndpoint } from '@patch/contract/records/update-count-endpoint.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { JsonText, type RouteRegistrar } from '../../platform/http/route.ts';
import { readSearch } from '../criteria/search-request.ts';
import { addReading, countQuery } from './query-search.ts';
import { findRelaxedSearches } from './relaxed-search.ts';
import { getSearchCaller, type SearchService } from './search-service.ts';

export function searchRoutes(
  route: RouteRegistrar,
  { searchService }: { readonly searchService: SearchService },
): void {
  for (const list of catalogueLists) {
    route(searchEndpoint(list), async (request) => {
      const { q, ...body } = request.body ?? {};
      const search = readSearch(list, request.query, body, request.sight);
      const caller = getSearchCaller(request);
      if (q === undefined || q === null || q.trim() === '') {
        const { rows, total } = await searchService.find(caller, search);
        return new JsonText(`{"objList":[${rows}],"totalCount":${total}}`);
      }
      if (search.keyword !== '') throw new AppError('syntax', 'Use either keyword or q, not both.');
      const { totalCount: _, ...reading } = await countQuery(searchService, caller, search, q);
      const { rows, total } = await searchService.find(caller, addReading(search, reading));
      return new JsonText(
        `{"objList":[${rows}],"totalCount":${total},"reading":${JSON.stringify(reading)}}`,
      );
    });
    route(queryReadingEndpoint(list), (request) => {
      const { q, filter, typing = false } = request.body;
      const search = readSearch(list, { offset: 0, size: 1 }, { filter }, request.sight);
      return countQuery(searchService, getSearchCaller(request), search, q, typing);
    });
    route(relaxedSearchEndpoint(list), (request) => {
      const search = readSearch(list, { offset: 0, size: 1 }, request.body, request.sight);
      return findRelaxedSearches(searchService, getSearchCaller(request), search);
    });
    if (list.countedBy === undefined) continue;
    route(groupedSearchEndpoint(list), async (request) => {
      const search = readSearch(list, request.query, request.body, request.sight);
      const { rows, groups, total, updates } = await searchService.findGroups(
        getSearchCaller(request),
        search,
      );
      return new JsonText(
        `{"objList":[${rows}],"groups":${JSON.stringify(groups)},"totalCount":${total},"updateCount":${updates}}`,
      );
    });
    route(updateCountEndpoint(list), (request) => {
      const search = readSearch(list, { offset: 0, size: 1 }, request.body, request.sight);
      const caller = getSearchCaller(request);
      return searchService.run(caller, () => searchService.counts.countBoth(search, caller.signal));
    });
  }
}
