/** What follows by itself when a page of a list arrives: it is scrolled to its top, and a page beyond the end becomes the last one. */
import { type RefObject, useEffect, useRef } from 'react';
import type { ListState } from './list-url.ts';
import type { ListRows } from './use-list-page.ts';
import type { ListUrl } from './use-list-url.ts';

/** A page beyond the end is replaced by the last one. */
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

/** A new page is read from its top; an address that is opened or gone back to is scrolled by the router. */
export function useScrollToTop(
  scroller: RefObject<HTMLElement | null>,
  { page, sort }: Pick<ListState, 'page' | 'sort'>,
  { paged, stale }: { readonly paged: boolean } & Pick<ListRows, 'stale'>,
): void {
  const shownFrom = useRef({ page, sort });
  useEffect(() => {
    if (stale) return;
    const { current } = shownFrom;
    if ((paged && current.page !== page) || current.sort !== sort)
      scroller.current?.scrollTo({ top: 0 });
    shownFrom.current = { page, sort };
  }, [scroller, paged, page, sort, stale]);
}
