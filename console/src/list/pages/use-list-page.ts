/** Fetches the rows of a list's state: its page, or all pages up to it. Previous rows stay while new ones load. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import {
  type GroupedReply,
  groupedSearchEndpoint,
  type RowGroup,
} from '@patch/contract/records/grouped-search-endpoint.ts';
import { largestPage, searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { isRefusal } from '../../api/api-call-error.ts';
import { callApi } from '../../api/call-api.ts';
import { hasJustFailed } from '../../api/failed-just-now.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import { getLastPage, type ListState } from '../address/list-url.ts';
import type { ColumnChoice } from '../columns/column-choice.ts';

export interface ListRows {
  /** Undefined while the first rows load. */
  readonly rows: readonly WireRow[] | undefined;
  /** Number of rows on all pages: of updates where these are grouped, else of records. */
  readonly totalCount: number | undefined;
  readonly recordCount: number | undefined;
  /** The records of each update, by the id of its row; empty where rows are not grouped. */
  readonly groups: RowGroups;
  /** Failure without rows to show. */
  readonly error: Error | null;
  /** Failure of a refresh or of loading more; the shown rows stay. */
  readonly refreshError: Error | null;
  /** Epoch milliseconds. */
  readonly loadedAt: number;
  /** True while the rows belong to the previous state. */
  readonly stale: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => void;
  /** Refetches the rows. Resolves to false on failure. */
  readonly reload: () => Promise<boolean>;
  /** Last page that the state may have; undefined while unknown. */
  readonly lastPage: number | undefined;
  /** Resolves to the page of the last row. Undefined in paging mode, when all rows are shown, and while more load. */
  readonly loadMore: (() => Promise<number>) | undefined;
}

/** A failed search shows a notification; a failed refresh keeps the rows. */
const failureMeta = { failed: 'The list could not be loaded.', keepsData: true };

/** Rows stay after a failed refresh, unless the server refuses them. */
function splitErrors(
  error: Error | null,
  hasData: boolean,
): Pick<ListRows, 'error' | 'refreshError'> {
  return hasData && !isRefusal(error)
    ? { error: null, refreshError: error }
    : { error, refreshError: null };
}

type SearchOfState = Pick<ListState, 'criteria' | 'keyword'>;

/** Builds the search for the server, without the page. */
export function buildSearchBody(
  list: ListDefinition,
  { criteria, keyword }: SearchOfState,
  timeZone: string,
) {
  // Relative times are resolved here, so that a refresh after midnight uses the new day.
  const filter = filterText(list, criteria, { now: Date.now(), timeZone });
  return { ...(filter !== '' && { filter }), ...(keyword !== '' && { keyword }) };
}

export function useSearchBody(list: ListDefinition, search: SearchOfState) {
  const timeZone = useReaderZone();
  return () => buildSearchBody(list, search, timeZone);
}

/** @param waiting - Delays the request, and shows no rows that are known already: those of a view may follow. */
export function useListRows(
  list: ListDefinition,
  state: ListState,
  { loadMode: mode, grouped }: Pick<ColumnChoice, 'loadMode' | 'grouped'>,
  waiting: boolean,
): ListRows {
  const search = createRowSearch(list, state, { grouped, timeZone: useReaderZone() });
  const page = useRowsOfPage(search, state, mode === 'paging' && !waiting);
  const growing = useGrowingRows(search, state, mode === 'loadmore' && !waiting);
  const shown = mode === 'paging' ? page : growing;
  return waiting
    ? { ...shown, rows: undefined, totalCount: undefined, recordCount: undefined }
    : shown;
}

interface RowSearch {
  readonly getPageKey: (page: number | 'all so far') => QueryKey;
  readonly fetchRows: (offset: number, count: number, signal: AbortSignal) => Promise<RowReply>;
}

/** Up to `count` rows from `offset`. */
interface RowRange {
  readonly offset: number;
  readonly count: number;
}

interface RowReply {
  readonly objList: readonly WireRow[];
  readonly totalCount: number;
  readonly recordCount: number;
  readonly groups: RowGroups;
}

export type RowGroups = ReadonlyMap<number, RowGroup>;

const noGroups: RowGroups = new Map();

interface RowSearchOptions {
  readonly grouped: boolean;
  readonly timeZone: string;
}

function createRowSearch(
  list: ListDefinition,
  state: ListState,
  { grouped, timeZone }: RowSearchOptions,
): RowSearch {
  const { criteria, keyword, sort, size } = state;
  return {
    getPageKey: (page) =>
      queryKeys.lists.page(
        list.key,
        {
          criteria: writeCriteria(list, criteria),
          keyword,
          sort,
          timeZone,
          ...(grouped && { grouped }),
        },
        size,
        page,
      ),
    fetchRows: async (offset, count, signal) => {
      const call = {
        query: { offset, size: count, sort },
        body: buildSearchBody(list, state, timeZone),
        signal,
      };
      if (grouped) return toRowReply(await callApi(groupedSearchEndpoint(list), call));
      const { objList, totalCount } = await callApi(searchEndpoint(list), call);
      const rows = removeDuplicates(objList);
      return { objList: rows, totalCount, recordCount: totalCount, groups: noGroups };
    },
  };
}

const toRowReply = ({ objList, groups, totalCount, updateCount }: GroupedReply): RowReply => ({
  objList: removeDuplicates(objList),
  totalCount: updateCount,
  recordCount: totalCount,
  groups: new Map(groups.map((group) => [group.ids[0] ?? 0, group])),
});

const pageQuery = ({ getPageKey, fetchRows }: RowSearch, { page, size }: ListState) =>
  queryOptions({
    queryKey: getPageKey(page),
    queryFn: ({ signal }) => fetchRows((page - 1) * size, size, signal),
  });

/** Fetches a page before it is shown. The page shows a failure later. */
export const prefetchPage = (
  queries: QueryClient,
  list: ListDefinition,
  state: ListState,
  options: RowSearchOptions,
): Promise<void> => queries.prefetchQuery(pageQuery(createRowSearch(list, state, options), state));

/** Fetches the rows of one page. */
function useRowsOfPage(search: RowSearch, state: ListState, enabled: boolean): ListRows {
  const { size } = state;
  const { data, error, isPlaceholderData, isFetching, refetch, dataUpdatedAt } = useQuery({
    ...pageQuery(search, state),
    placeholderData: keepPreviousData,
    enabled: (query) => enabled && !hasJustFailed(query.state),
    meta: failureMeta,
  });
  const errors = splitErrors(error, data !== undefined);
  const usable = errors.error === null ? data : undefined;
  return {
    rows: usable?.objList,
    totalCount: usable?.totalCount,
    recordCount: usable?.recordCount,
    groups: usable?.groups ?? noGroups,
    ...errors,
    loadedAt: dataUpdatedAt,
    stale: isPlaceholderData,
    isFetching,
    refetch: () => void refetch(),
    reload: async () => !(await refetch()).isError,
    lastPage:
      usable === undefined || isPlaceholderData ? undefined : getLastPage(usable.totalCount, size),
    loadMore: undefined,
  };
}

/** Fetches the rows of all pages up to the state's. */
function useGrowingRows(search: RowSearch, state: ListState, enabled: boolean): ListRows {
  const { page, size } = state;
  const growing = useGrowingQuery(search, state, enabled);
  const { data, error, isPlaceholderData, isFetching, refetch } = growing;
  const { fetchNextPage, isFetchingNextPage } = growing;
  const current = enabled && !isPlaceholderData ? data : undefined;
  const last = current?.pageParams.at(-1) as RowRange | undefined;
  const loaded = last === undefined ? undefined : last.offset + last.count;
  const missing = loaded !== undefined && loaded < countWantedRows(state);
  const isShort = missing && growing.hasNextPage && error === null && !isFetching;
  useEffect(() => {
    if (isShort) void fetchNextPage();
  }, [isShort, fetchNextPage]);

  const totalCount = data?.pages.at(-1)?.totalCount;
  const hasMore = totalCount !== undefined && !isPlaceholderData && page * size < totalCount;
  async function loadNext(): Promise<number> {
    if (loaded !== undefined && loaded > page * size) return page + 1;
    const { isFetchNextPageError } = await fetchNextPage();
    return isFetchNextPageError ? page : page + 1;
  }
  const rows = useMemo(
    () =>
      data && removeDuplicates(data.pages.flatMap(({ objList }) => objList).slice(0, page * size)),
    [data, page, size],
  );
  const groups = useMemo(() => new Map(data?.pages.flatMap((reply) => [...reply.groups])), [data]);
  return {
    rows,
    totalCount,
    recordCount: data?.pages.at(-1)?.recordCount,
    groups,
    ...splitErrors(error, data !== undefined),
    loadedAt: growing.dataUpdatedAt,
    stale: isPlaceholderData,
    isFetching,
    refetch: () => void refetch(),
    reload: async () => !(await refetch()).isError,
    // Limited to the pages that a later opening of the address loads at once.
    lastPage:
      totalCount === undefined || loaded === undefined
        ? undefined
        : Math.min(getLastPage(totalCount, size), Math.floor(Math.max(loaded, largestPage) / size)),
    loadMore: hasMore && !isFetchingNextPage ? loadNext : undefined,
  };
}

function useGrowingQuery({ getPageKey, fetchRows }: RowSearch, state: ListState, enabled: boolean) {
  const wanted = countWantedRows(state);
  return useInfiniteQuery({
    queryKey: getPageKey('all so far'),
    queryFn: ({ pageParam: { offset, count }, signal }) => fetchRows(offset, count, signal),
    // Loads all rows up to the page of the address in one call, up to the maximum size.
    initialPageParam: { offset: 0, count: wanted },
    getNextPageParam: ({ totalCount }, _pages, { offset, count }) => {
      const end = offset + count;
      return end < totalCount
        ? { offset: end, count: Math.max(state.size, wanted - end) }
        : undefined;
    },
    placeholderData: keepPreviousData,
    enabled,
    meta: failureMeta,
  });
}

/** Number of rows up to the state's page, limited to the maximum size of a call. */
const countWantedRows = ({ page, size }: ListState): number => Math.min(page * size, largestPage);

/** Removes duplicates, which occur when a sync moves rows to the next page; keeps the first of each. */
export function removeDuplicates(rows: readonly WireRow[]): readonly WireRow[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}
