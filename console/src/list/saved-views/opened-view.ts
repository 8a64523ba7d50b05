/** Opens saved views by changing the list's address. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { SavedView } from '@patch/contract/records/saved-view-endpoints.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import {
  applyChange,
  type Change,
  type getViewToOpen,
  type ListState,
} from '../address/list-url.ts';
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

/** Returns the criteria with which the list opens for a user without a view of their own. */
export const toOpeningChange = (list: ListDefinition, when: When): Change => ({
  criteria: readCriteria(list, list.opens?.criteria ?? '', when).criteria,
});

/** Returns the state that most users have once the initial view is known: its criteria take their room at once. */
export function toExpectedState(
  list: ListDefinition,
  state: ListState,
  toOpen: ReturnType<typeof getViewToOpen>,
  when: When,
): ListState {
  const opens = toOpen === 'default' && list.opens?.criteria !== undefined;
  return opens ? applyChange(state, toOpeningChange(list, when)) : state;
}

type InitialView = SavedView | 'opening';

/**
 * Opens the initial view once: the address's, else the user's default, else the list's opening criteria. Returns true until
 * then, so that no other rows are fetched and shown before.
 */
export function useViewToOpen(
  list: ListDefinition,
  toOpen: ReturnType<typeof getViewToOpen>,
  onOpen: (view: InitialView) => Promise<void>,
): boolean {
  const { views, isPending } = useSavedViews(list);
  const [isWaiting, setIsWaiting] = useState(toOpen !== null);
  const openOnce = useEffectEvent((view: InitialView) => {
    void onOpen(view).finally(() => setIsWaiting(false));
  });
  const initialView = isWaiting && !isPending ? findInitialView(list, toOpen, views) : undefined;
  // Nothing is to be opened, or the view does not exist.
  if (isWaiting && !isPending && initialView === undefined) setIsWaiting(false);
  const id = initialView === 'opening' ? initialView : initialView?.id;
  useEffect(() => {
    if (initialView !== undefined) openOnce(initialView);
    // Runs once for each view id, regardless of refetches.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id]);
  return isWaiting;
}

function findInitialView(
  list: ListDefinition,
  toOpen: ReturnType<typeof getViewToOpen>,
  views: readonly SavedView[] = [],
): InitialView | undefined {
  if (toOpen !== 'default') return views.find(({ id }) => id === toOpen);
  const own = views.find(({ isDefault }) => isDefault);
  return own ?? (list.opens?.criteria === undefined ? undefined : 'opening');
}
