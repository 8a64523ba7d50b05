/** The endpoint of every list that summarizes a search. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { searchSummaryEndpoint } from '@patch/contract/search-summary-endpoint.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { JsonText, type RouteRegistrar } from '../../platform/http/route.ts';
import type { ListMemories } from '../memory/list-memories.ts';
import { getSearchCaller, type SearchService } from '../search/search-service.ts';
import { readSummary } from './summary-request.ts';
import { SummaryService } from './summary-service.ts';

export function summaryRoutes(
  route: RouteRegistrar,
  parts: {
    readonly database: Queryable;
    readonly searchService: SearchService;
    readonly memories: ListMemories;
  },
): void {
  const summaries = new SummaryService(parts);
  for (const list of catalogueLists)
    route(searchSummaryEndpoint(list), async (request) => {
      const summaryRequest = readSummary(list, request.body, request.seesRestricted);
      return new JsonText(await summaries.summary(getSearchCaller(request), summaryRequest));
    });
}
