/** Loads the next rows of a list that grows, and says in its address how far it was loaded. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useEffect, useRef } from 'react';
import { type ListState, writeListState } from './list-url.ts';
import type { ListRows } from './use-list-page.ts';
import type { ListUrl } from './use-list-url.ts';

/** Undefined while nothing else can be loaded. Rows that come after the list was searched or sorted otherwise change nothing. */
export function useLoadMore(
  list: ListDefinition,
  state: ListState,
  loadMore: ListRows['loadMore'],
  change: ListUrl['change'],
) {
  const shape = JSON.stringify(writeListState(list, { ...state, open: undefined }));
  const now = useRef({ shape, open: state.open, change });
  useEffect(() => {
    now.current = { shape, open: state.open, change };
  });
  if (loadMore === undefined) return undefined;
  return async () => {
    const page = await loadMore();
    const { current } = now;
    if (current.shape === shape && page !== state.page)
      await current.change({ page, open: current.open }, { replace: true });
  };
}
