/** The search call of every list, and the count of updates of those whose records share them. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { searchCall } from '@patch/contract/search-call.ts';
import { updateCountCall } from '@patch/contract/update-count-call.ts';
import type { Database } from '../database/database.ts';
import { type Answer, JsonText } from '../http/answer.ts';
import { readSearch } from './search-request.ts';
import { SearchStore } from './search-store.ts';
import { UpdateCounts } from './update-counts.ts';

export function searchRoutes(answer: Answer, { database }: { readonly database: Database }): void {
  const store = new SearchStore(database);
  const counts = new UpdateCounts(database, store);
  for (const list of catalogueLists) {
    answer(searchCall(list), async ({ query, body }) => {
      const { rows, total } = await store.find(readSearch(list, query, body));
      return new JsonText(`{"objList":[${rows}],"totalCount":${total}}`);
    });
    if (list.countedBy === undefined) continue;
    answer(updateCountCall(list), ({ body }) => counts.both(readSearch(list, { offset: 0, size: 1 }, body)));
  }
}
