/** The rows that the list's state asks for, a page or all pages up to it. The rows before stay while new ones are on their way; an earlier request is cancelled. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { searchCall } from '@patch/contract/search-call.ts';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { makeCall } from '../api/make-call.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import type { ListState } from './list-url.ts';

/** Every query of a list's rows begins so: what a sync invalidates. */
export const listQueryKey = (list: ListDefinition) => ['list', list.key] as const;

export interface ListRows {
  /** Undefined while the first ones are on their way. */
  readonly rows: readonly WireRow[] | undefined;
  readonly totalCount: number | undefined;
  readonly error: Error | null;
  /** The rows of the state before, while those of this one are on their way. */
  readonly stale: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => void;
  /** Absent when paged, and when all rows are there. */
  readonly loadMore: (() => void) | undefined;
}

/** A failed search stands in place of the rows, with its cause; that there was one is told over the page, too. */
const told = { failed: 'The list could not be loaded.' };

/** What the search asks as the wire has it, whichever page of it. */
export function useAsked(list: ListDefinition, { criteria, keyword }: Pick<ListState, 'criteria' | 'keyword'>) {
  const timeZone = useReaderZone();
  return () => {
    // Relative times become instants here, so that a refresh after midnight asks for the new today.
    const filter = filterText(list, criteria, { now: Date.now(), timeZone });
    return { ...(filter !== '' && { filter }), ...(keyword !== '' && { keyword }) };
  };
}

/** Nothing is asked while `waiting`. */
export function useListRows(list: ListDefinition, state: ListState, mode: 'paging' | 'loadmore', waiting: boolean): ListRows {
  const { criteria, keyword, sort, page, size } = state;
  const timeZone = useReaderZone();
  const asked = useAsked(list, state);
  const key = [...listQueryKey(list), writeCriteria(list, criteria), keyword, sort, size, timeZone];
  const ask = (offset: number, signal: AbortSignal) => makeCall(searchCall(list), { query: { offset, size, sort }, body: asked(), signal });

  const paged = useQuery({
    queryKey: [...key, page],
    queryFn: ({ signal }) => ask((page - 1) * size, signal),
    placeholderData: keepPreviousData,
    enabled: mode === 'paging' && !waiting,
    meta: told,
  });
  const grown = useInfiniteQuery({
    queryKey: [...key, 'all so far'],
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ totalCount }, _pages, offset) => (offset + size < totalCount ? offset + size : undefined),
    placeholderData: keepPreviousData,
    enabled: mode === 'loadmore' && !waiting,
    meta: told,
  });

  if (mode === 'paging') {
    const { data, error, isPlaceholderData, isFetching, refetch } = paged;
    return {
      rows: error === null ? data?.objList : undefined,
      totalCount: error === null ? data?.totalCount : undefined,
      error,
      stale: isPlaceholderData,
      isFetching,
      refetch: () => void refetch(),
      loadMore: undefined,
    };
  }
  const { data, error, isPlaceholderData, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = grown;
  // A page that could not be fetched leaves those that are there standing.
  const failed = data === undefined ? error : null;
  return {
    rows: data === undefined ? undefined : eachOnce(data.pages.flatMap(({ objList }) => objList)),
    totalCount: data?.pages.at(-1)?.totalCount,
    error: failed,
    stale: isPlaceholderData,
    isFetching,
    refetch: () => void refetch(),
    loadMore: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
  };
}

/** A sync that adds records pushes some from one page to the next: each is shown once, where it was first. */
export function eachOnce(rows: readonly WireRow[]): readonly WireRow[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}
