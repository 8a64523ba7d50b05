/** Prefetches first page and views of a list while session and preferences are still being checked. */
import { withoutRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { QueryClient } from '@tanstack/react-query';
import { ownPreferences } from '../../api/preferences.ts';
import { session, timeZone } from '../../api/session.ts';
import { getViewToOpen, listSearchSchema, readListState } from '../address/list-url.ts';
import { isGrouped } from '../columns/column-choice.ts';
import { prefetchPage } from '../pages/use-list-page.ts';
import { toExpectedState } from '../saved-views/opened-view.ts';
import { savedViewsQuery } from '../saved-views/use-saved-views.ts';

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
  void prefetchPage(queries, shown, expected, {
    grouped: isGrouped(shown, preference ?? {}),
    timeZone: zone,
  });
}
