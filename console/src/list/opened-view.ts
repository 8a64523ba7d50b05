/** Opens saved views by changing the list's address. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Change, getViewToOpen } from './list-url.ts';
import { useSavedViews } from './use-saved-views.ts';

/** Omits criteria that the list no longer supports. A null view means all records. */
export function toChange(list: ListDefinition, view: SavedView | null, when: When): Change {
  if (view === null)
    return {
      criteria: [],
      keyword: '',
      sort: list.defaultSort,
      columns: undefined,
      page: 1,
      view: 'all',
    };
  const { criteria, keyword, sort, columns } = view.search;
  return {
    criteria: readCriteria(list, criteria, when).criteria,
    keyword,
    sort: sort ?? list.defaultSort,
    columns: columns ?? undefined,
    page: 1,
    view: view.id,
  };
}

/** Opens the initial view once. Returns true until then, so that no other rows are fetched and shown before. */
export function useViewToOpen(
  list: ListDefinition,
  toOpen: ReturnType<typeof getViewToOpen>,
  onOpen: (view: SavedView, how: { readonly replace: boolean }) => Promise<void>,
): boolean {
  const { views, isPending } = useSavedViews(list);
  const [isWaiting, setIsWaiting] = useState(toOpen !== null);
  const openOnce = useEffectEvent((view: SavedView) => {
    void onOpen(view, { replace: true }).finally(() => setIsWaiting(false));
  });
  const initialView =
    isWaiting && !isPending
      ? views?.find(({ id: view, isDefault }) =>
          toOpen === 'default' ? isDefault : view === toOpen,
        )
      : undefined;
  // The view does not exist.
  if (isWaiting && !isPending && initialView === undefined) setIsWaiting(false);
  const id = initialView?.id;
  useEffect(() => {
    if (initialView !== undefined) openOnce(initialView);
    // Runs once for each view id, regardless of refetches.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id]);
  return isWaiting;
}
