/** The search call of every list, and the count of updates of those whose records share them. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { searchCall } from '@patch/contract/search-call.ts';
import { updateCountCall } from '@patch/contract/update-count-call.ts';
import { type Answer, JsonText } from '../http/answer.ts';
import { readSearch } from './search-request.ts';
import { askerOf, type SearchDesk } from './search-desk.ts';

export function searchRoutes(answer: Answer, { desk }: { readonly desk: SearchDesk }): void {
  for (const list of catalogueLists) {
    answer(searchCall(list), async (request) => {
      const { rows, total } = await desk.find(askerOf(request), readSearch(list, request.query, request.body, request.seesRestricted));
      return new JsonText(`{"objList":[${rows}],"totalCount":${total}}`);
    });
    if (list.countedBy === undefined) continue;
    answer(updateCountCall(list), (request) => {
      const search = readSearch(list, { offset: 0, size: 1 }, request.body, request.seesRestricted);
      const asker = askerOf(request);
      return desk.run(asker, search, () => desk.counts.both(search, asker.signal));
    });
  }
}
