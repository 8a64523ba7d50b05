/** The search call of every list, and the count of updates of those whose records share them. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { searchCall } from '@patch/contract/search-call.ts';
import { updateCountCall } from '@patch/contract/update-count-call.ts';
import type { Database } from '../database/database.ts';
import { type Answer, JsonText } from '../http/answer.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { restrictedSearch } from './restricted-search.ts';
import { readSearch } from './search-request.ts';
import { SearchStore } from './search-store.ts';
import { UpdateCounts } from './update-counts.ts';

export interface SearchParts {
  readonly database: Database;
  readonly box: Pick<SecretBox, 'open'>;
}

export function searchRoutes(answer: Answer, { database, box }: SearchParts): void {
  const store = new SearchStore(database);
  const search = restrictedSearch({ database, store, box });
  const counts = new UpdateCounts(database, store);
  for (const list of catalogueLists) {
    answer(searchCall(list), async ({ query, body, seesRestricted }) => {
      const { rows, total } = await search.find(readSearch(list, query, body, seesRestricted));
      return new JsonText(`{"objList":[${rows}],"totalCount":${total}}`);
    });
    if (list.countedBy === undefined) continue;
    answer(updateCountCall(list), ({ body, seesRestricted }) =>
      counts.both(readSearch(list, { offset: 0, size: 1 }, body, seesRestricted)),
    );
  }
}
