/** What opening a saved view makes of the list's address; and the view that opens by itself with the list. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Change, viewToOpen } from './list-url.ts';
import { useSavedViews } from './use-saved-views.ts';

/** Null: all records, without any view. A criterion that a later version cannot ask any more is left out. */
export function changeToView(list: ListDefinition, view: SavedView | null, when: When): Change {
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

/** True while it is looked for: rows are not asked for before, or others would flash by. Looked for once, when the list is opened. */
export function useViewToOpen(
  list: ListDefinition,
  toOpen: ReturnType<typeof viewToOpen>,
  onOpen: (view: SavedView, how: { readonly replace: boolean }) => Promise<void>,
): boolean {
  const { views, isPending } = useSavedViews(list);
  const [looking, setLooking] = useState(toOpen !== null);
  const found = useEffectEvent((view: SavedView) => {
    void onOpen(view, { replace: true }).finally(() => setLooking(false));
  });
  const own =
    looking && !isPending
      ? views?.find(({ id: view, isDefault }) =>
          toOpen === 'default' ? isDefault : view === toOpen,
        )
      : undefined;
  // Without such a view there is nothing to wait for.
  if (looking && !isPending && own === undefined) setLooking(false);
  const id = own?.id;
  useEffect(() => {
    if (own !== undefined) found(own);
    // Once, whatever is read of the view meanwhile.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id]);
  return looking;
}
