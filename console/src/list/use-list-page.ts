/** The rows that the list's state asks for: its page, or all pages up to it. The rows before stay while new ones are on their way; an earlier request is cancelled. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { largestPage, searchEndpoint } from '@patch/contract/search-endpoint.ts';
import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { isRefusal } from '../api/api-call-error.ts';
import { callApi } from '../api/call-api.ts';
import { failedJustNow } from '../api/failed-just-now.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { type ListState, lastPage } from './list-url.ts';

export interface ListRows {
  /** Undefined while the first ones are on their way. */
  readonly rows: readonly WireRow[] | undefined;
  readonly totalCount: number | undefined;
  /** Why there are no rows. */
  readonly error: Error | null;
  /** Why the rows that are there could not be refreshed, or no others loaded. */
  readonly refreshError: Error | null;
  /** When the rows were loaded, in epoch milliseconds. */
  readonly loadedAt: number;
  /** The rows of the state before, while those of this one are on their way. */
  readonly stale: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => void;
  /** Fetches the rows again and resolves to whether they came. */
  readonly reload: () => Promise<boolean>;
  /** The last page that the state may ask for; undefined while it is not known. */
  readonly lastPage: number | undefined;
  /** Resolves to the page that then holds the last row. Absent when paged, when all rows are there, and while more are on their way. */
  readonly loadMore: (() => Promise<number>) | undefined;
}

/** A failed search is shown in place of the rows, with its cause, and as a notification. A failed refresh keeps the rows. */
const told = { failed: 'The list could not be loaded.', keepsData: true };

/** Rows that are there stay when they cannot be refreshed, unless the server refuses them. */
function errorsOf(error: Error | null, hasData: boolean): Pick<ListRows, 'error' | 'refreshError'> {
  return hasData && !isRefusal(error)
    ? { error: null, refreshError: error }
    : { error, refreshError: null };
}

type SearchOfState = Pick<ListState, 'criteria' | 'keyword'>;

/** The search in its wire form, without the page. */
export function wireSearch(
  list: ListDefinition,
  { criteria, keyword }: SearchOfState,
  timeZone: string,
) {
  // Relative times become instants here, so that a refresh after midnight asks for the new today.
  const filter = filterText(list, criteria, { now: Date.now(), timeZone });
  return { ...(filter !== '' && { filter }), ...(keyword !== '' && { keyword }) };
}

export function useAsked(list: ListDefinition, search: SearchOfState) {
  const timeZone = useReaderZone();
  return () => wireSearch(list, search, timeZone);
}

/** Nothing is asked while `waiting`. */
export function useListRows(
  list: ListDefinition,
  state: ListState,
  mode: 'paging' | 'loadmore',
  waiting: boolean,
): ListRows {
  const search = rowSearch(list, state, useReaderZone());
  const page = useRowsOfPage(search, state, mode === 'paging' && !waiting);
  const growing = useGrowingRows(search, state, mode === 'loadmore' && !waiting);
  return mode === 'paging' ? page : growing;
}

interface RowSearch {
  readonly keyOfPage: (page: number | 'all so far') => QueryKey;
  readonly fetchRows: (offset: number, many: number, signal: AbortSignal) => Promise<RowReply>;
}

/** Rows from `offset` on, `many` at most. */
interface RowRange {
  readonly offset: number;
  readonly many: number;
}

interface RowReply {
  readonly objList: readonly WireRow[];
  readonly totalCount: number;
}

function rowSearch(list: ListDefinition, state: ListState, timeZone: string): RowSearch {
  const { criteria, keyword, sort, size } = state;
  return {
    keyOfPage: (page) =>
      queryKeys.lists.page(
        list.key,
        { criteria: writeCriteria(list, criteria), keyword, sort, timeZone },
        size,
        page,
      ),
    fetchRows: async (offset, many, signal) => {
      const reply = await callApi(searchEndpoint(list), {
        query: { offset, size: many, sort },
        body: wireSearch(list, state, timeZone),
        signal,
      });
      return { ...reply, objList: distinctBy(reply.objList) };
    },
  };
}

const pageQuery = ({ keyOfPage, fetchRows }: RowSearch, { page, size }: ListState) =>
  queryOptions({
    queryKey: keyOfPage(page),
    queryFn: ({ signal }) => fetchRows((page - 1) * size, size, signal),
  });

/** Asks for the page before anything shows it. A failure is told once something does. */
export const prefetchPage = (
  queries: QueryClient,
  list: ListDefinition,
  state: ListState,
  timeZone: string,
): Promise<void> => queries.prefetchQuery(pageQuery(rowSearch(list, state, timeZone), state));

/** The rows of one page. */
function useRowsOfPage(search: RowSearch, state: ListState, enabled: boolean): ListRows {
  const { size } = state;
  const { data, error, isPlaceholderData, isFetching, refetch, dataUpdatedAt } = useQuery({
    ...pageQuery(search, state),
    placeholderData: keepPreviousData,
    enabled: (query) => enabled && !failedJustNow(query.state),
    meta: told,
  });
  const errors = errorsOf(error, data !== undefined);
  const held = errors.error === null ? data : undefined;
  return {
    rows: held?.objList,
    totalCount: held?.totalCount,
    ...errors,
    loadedAt: dataUpdatedAt,
    stale: isPlaceholderData,
    isFetching,
    refetch: () => void refetch(),
    reload: async () => !(await refetch()).isError,
    lastPage: held === undefined || isPlaceholderData ? undefined : lastPage(held.totalCount, size),
    loadMore: undefined,
  };
}

/** The rows of all pages up to the state's. */
function useGrowingRows(search: RowSearch, state: ListState, enabled: boolean): ListRows {
  const { page, size } = state;
  const growing = useGrowingQuery(search, state, enabled);
  const { data, error, isPlaceholderData, isFetching, refetch } = growing;
  const { fetchNextPage, isFetchingNextPage } = growing;
  const current = enabled && !isPlaceholderData ? data : undefined;
  const last = current?.pageParams.at(-1) as RowRange | undefined;
  const loaded = last === undefined ? undefined : last.offset + last.many;
  const missing = loaded !== undefined && loaded < rowsWanted(state);
  const short = missing && growing.hasNextPage && error === null && !isFetching;
  useEffect(() => {
    if (short) void fetchNextPage();
  }, [short, fetchNextPage]);

  const totalCount = data?.pages.at(-1)?.totalCount;
  const more = totalCount !== undefined && !isPlaceholderData && page * size < totalCount;
  async function loadNext(): Promise<number> {
    if (loaded !== undefined && loaded > page * size) return page + 1;
    const { isFetchNextPageError } = await fetchNextPage();
    return isFetchNextPageError ? page : page + 1;
  }
  const rows = useMemo(
    () => data && distinctBy(data.pages.flatMap(({ objList }) => objList).slice(0, page * size)),
    [data, page, size],
  );
  return {
    rows,
    totalCount,
    ...errorsOf(error, data !== undefined),
    loadedAt: growing.dataUpdatedAt,
    stale: isPlaceholderData,
    isFetching,
    refetch: () => void refetch(),
    reload: async () => !(await refetch()).isError,
    // So many rows are there at once when the address is opened again.
    lastPage:
      totalCount === undefined || loaded === undefined
        ? undefined
        : Math.min(lastPage(totalCount, size), Math.floor(Math.max(loaded, largestPage) / size)),
    loadMore: more && !isFetchingNextPage ? loadNext : undefined,
  };
}

function useGrowingQuery({ keyOfPage, fetchRows }: RowSearch, state: ListState, enabled: boolean) {
  const wanted = rowsWanted(state);
  return useInfiniteQuery({
    queryKey: keyOfPage('all so far'),
    queryFn: ({ pageParam: { offset, many }, signal }) => fetchRows(offset, many, signal),
    // An address that names a later page is answered at once, as far as one call goes.
    initialPageParam: { offset: 0, many: wanted },
    getNextPageParam: ({ totalCount }, _pages, { offset, many }) => {
      const end = offset + many;
      return end < totalCount
        ? { offset: end, many: Math.max(state.size, wanted - end) }
        : undefined;
    },
    placeholderData: keepPreviousData,
    enabled,
    meta: told,
  });
}

/** Rows up to the state's page, as far as one call goes. */
const rowsWanted = ({ page, size }: ListState): number => Math.min(page * size, largestPage);

/** A sync that adds records pushes some from one page to the next: each is shown once, where it was first. */
export function distinctBy(rows: readonly WireRow[]): readonly WireRow[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}
