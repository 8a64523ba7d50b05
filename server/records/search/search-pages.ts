/** All rows of a search in its order, for exports: page after page, so that no page costs more for being far. */
import type { WireRow } from '@patch/contract/row-schema.ts';
import type { Search } from '../criteria/search-request.ts';
import type { SearchStore } from './search-store.ts';

const rowsAPage = 500;

/**
 * Yields pages of rows until there are none. The search is sorted by one field. A sync may write between two pages: a row whose place
 * changes meanwhile may then be met at its old place, at its new one, or at both; all others are met once.
 */
export async function* searchPages(
  store: SearchStore,
  search: Search,
  signal?: AbortSignal,
): AsyncGenerator<readonly WireRow[]> {
  for await (const rows of store.pages(search, rowsAPage, signal))
    yield JSON.parse(`[${rows}]`) as readonly WireRow[];
}
