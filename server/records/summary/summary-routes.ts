/** The endpoint of every list that summarizes a search. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { searchSummaryEndpoint } from '@patch/contract/search-summary-endpoint.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { JsonText, type RouteRegistrar } from '../../platform/http/route.ts';
import type { ListMemories } from '../memory/list-memories.ts';
import { type SearchDesk, searchCallerOf } from '../search/search-desk.ts';
import { SummaryDesk } from './summary-desk.ts';
import { readSummary } from './summary-request.ts';

export function summaryRoutes(
  route: RouteRegistrar,
  parts: {
    readonly database: Queryable;
    readonly desk: SearchDesk;
    readonly memories: ListMemories;
  },
): void {
  const summaries = new SummaryDesk(parts);
  for (const list of catalogueLists)
    route(searchSummaryEndpoint(list), async (request) => {
      const summaryRequest = readSummary(list, request.body, request.seesRestricted);
      return new JsonText(await summaries.summary(searchCallerOf(request), summaryRequest));
    });
}
