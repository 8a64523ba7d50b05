/** The search call of every list. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { searchCall } from '@patch/contract/search-call.ts';
import type { Database } from '../database/database.ts';
import { type Answer, JsonText } from '../http/answer.ts';
import { readSearch } from './search-request.ts';
import { SearchStore } from './search-store.ts';

export function searchRoutes(answer: Answer, { database }: { readonly database: Database }): void {
  const store = new SearchStore(database);
  for (const list of catalogueLists) {
    answer(searchCall(list), async ({ query, body }) => {
      const { rows, total } = await store.find(readSearch(list, query, body));
      return new JsonText(`{"objList":[${rows}],"totalCount":${total}}`);
    });
  }
}
