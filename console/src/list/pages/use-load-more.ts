/** Loads more rows and stores the loaded page in the address. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useEffect, useRef } from 'react';
import { type ListState, writeListState } from '../address/list-url.ts';
import type { ListUrl } from '../address/use-list-url.ts';
import type { ListRows } from './use-list-page.ts';

/** Returns undefined while nothing more can be loaded. A reply to an outdated search or order does not change the address. */
export function useLoadMore(
  list: ListDefinition,
  state: ListState,
  loadMore: ListRows['loadMore'],
  change: ListUrl['change'],
) {
  const shape = JSON.stringify(writeListState(list, { ...state, open: undefined }));
  const latest = useRef({ shape, open: state.open, change });
  useEffect(() => {
    latest.current = { shape, open: state.open, change };
  });
  if (loadMore === undefined) return undefined;
  return async () => {
    const page = await loadMore();
    const { current } = latest;
    if (current.shape === shape && page !== state.page)
      await current.change({ page, open: current.open }, { replace: true });
  };
}
