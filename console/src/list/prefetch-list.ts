/** Asks for the first page and the views of a list before it is shown, while the server still says who this is and what they prefer. */
import { withoutRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { QueryClient } from '@tanstack/react-query';
import { ownPreferences } from '../api/preferences.ts';
import { session, timeZone } from '../api/session.ts';
import { listSearchSchema, readListState } from './list-url.ts';
import { prefetchPage } from './use-list-page.ts';
import { savedViewsQuery } from './use-saved-views.ts';

/** By what this browser remembers of the person. Where that is outdated, or a view opens by itself, the list asks again. */
export function prefetchList(queries: QueryClient, list: CatalogueList, search: object): void {
  const preference = ownPreferences().preferences[list.key];
  const shown = session().user?.userType === 'Admin' ? list : withoutRestricted(list);
  void queries.prefetchQuery(savedViewsQuery(shown));
  // A list that grows is asked for in other pieces.
  if (preference?.loadMode === 'loadmore') return;
  const zone = timeZone();
  const when = { now: 0, timeZone: zone };
  const state = readListState(shown, listSearchSchema.parse(search), when, preference);
  void prefetchPage(queries, shown, state, zone);
}
