/** The search call of every list, and the count of updates of those whose records share them. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
import { updateCountEndpoint } from '@patch/contract/update-count-endpoint.ts';
import { JsonText, type RouteRegistrar } from '../../platform/http/route.ts';
import { type SearchDesk, searchCallerOf } from './search-desk.ts';
import { readSearch } from './search-request.ts';

export function searchRoutes(route: RouteRegistrar, { desk }: { readonly desk: SearchDesk }): void {
  for (const list of catalogueLists) {
    route(searchEndpoint(list), async (request) => {
      const { rows, total } = await desk.find(
        searchCallerOf(request),
        readSearch(list, request.query, request.body, request.seesRestricted),
      );
      return new JsonText(`{"objList":[${rows}],"totalCount":${total}}`);
    });
    if (list.countedBy === undefined) continue;
    route(updateCountEndpoint(list), (request) => {
      const search = readSearch(list, { offset: 0, size: 1 }, request.body, request.seesRestricted);
      const asker = searchCallerOf(request);
      return desk.run(asker, search, () => desk.counts.both(search, asker.signal));
    });
  }
}
