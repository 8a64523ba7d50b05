/** Prefetches first page and views of a list while session and preferences are still being checked. */
import { withoutRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { QueryClient } from '@tanstack/react-query';
import { ownPreferences } from '../api/preferences.ts';
import { session, timeZone } from '../api/session.ts';
import { getViewToOpen, listSearchSchema, readListState } from './list-url.ts';
import { toExpectedState } from './opened-view.ts';
import { prefetchPage } from './use-list-page.ts';
import { savedViewsQuery } from './use-saved-views.ts';

/** Uses the cached preferences. When these are outdated or the user's own view opens, the list fetches again. */
export function prefetchList(queries: QueryClient, list: CatalogueList, search: object): void {
  const preference = ownPreferences().preferences[list.key];
  const shown = session().user?.userType === 'Admin' ? list : withoutRestricted(list);
  void queries.prefetchQuery(savedViewsQuery(shown));
  // Lists with load more use other requests.
  if (preference?.loadMode === 'loadmore') return;
  const zone = timeZone();
  const when = { now: 0, timeZone: zone };
  const address = listSearchSchema.parse(search);
  const state = readListState(shown, address, when, preference);
  const expected = toExpectedState(shown, state, getViewToOpen(address), when);
  void prefetchPage(queries, shown, expected, zone);
}
