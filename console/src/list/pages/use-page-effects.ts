/** Effects of a new page: scrolling to its top, and replacing a page beyond the end. */
import { type RefObject, useEffect, useRef } from 'react';
import type { ListState } from '../address/list-url.ts';
import type { ListUrl } from '../address/use-list-url.ts';
import type { ListRows } from './use-list-page.ts';

/** Replaces a page beyond the end by the last one. */
export function useLastPageRedirect(
  lastPage: number | undefined,
  page: number,
  change: ListUrl['change'],
): void {
  useEffect(() => {
    if (lastPage === undefined || page <= lastPage) return;
    void change({ page: lastPage }, { replace: true });
  }, [lastPage, page, change]);
}

/** Scrolls to the top after a change of page or order. The router restores the position on navigation. */
export function useScrollToTop(
  scroller: RefObject<HTMLElement | null>,
  { page, sort }: Pick<ListState, 'page' | 'sort'>,
  { paged, stale }: { readonly paged: boolean } & Pick<ListRows, 'stale'>,
): void {
  const previous = useRef({ page, sort });
  useEffect(() => {
    if (stale) return;
    const { current } = previous;
    if ((paged && current.page !== page) || current.sort !== sort)
      scroller.current?.scrollTo({ top: 0 });
    previous.current = { page, sort };
  }, [scroller, paged, page, sort, stale]);
}
