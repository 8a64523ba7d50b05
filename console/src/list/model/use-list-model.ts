/** Model of a list screen: state in the address, rows, columns, marked rows, actions. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { ExportFormat } from '@patch/contract/records/export-endpoints.ts';
import type { SavedView, ViewSearch } from '@patch/contract/records/saved-view-endpoints.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { queryKeys } from '../../api/query-keys.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import {
  defaultPageSize,
  getLastPage,
  getPreferredSort,
  type ListState,
  type PageSize,
} from '../address/list-url.ts';
import { type ListUrl, useListUrl } from '../address/use-list-url.ts';
import { type ColumnChoice, useColumnChoice } from '../columns/column-choice.ts';
import type { RequestedSearch } from '../criteria/typed-search.ts';
import { type ExportedSearch, type RowsToExport, toMarkedSearch } from '../export/export-rows.ts';
import { useRowExport } from '../export/use-row-export.ts';
import {
  buildSearchBody,
  type ListRows,
  useListRows,
  useSearchBody,
} from '../pages/use-list-page.ts';
import { useLoadMore } from '../pages/use-load-more.ts';
import { type OpenedGroups, useOpenedGroups } from '../pages/use-opened-groups.ts';
import { useLastPageRedirect } from '../pages/use-page-effects.ts';
import {
  toChange,
  toExpectedState,
  toOpeningChange,
  useViewToOpen,
} from '../saved-views/opened-view.ts';
import { toViewSearch } from '../saved-views/use-saved-views.ts';
import { useGroupedSelection } from '../table/grouped-selection.ts';
import { findOwnRecord, findRecordElsewhere } from '../table/record-elsewhere.ts';
import { type Selection, useSelectedRows } from '../table/row-selection.tsx';
import { useIsUnfilled, useListSource } from './use-list-source.ts';
import { useTypedIdentifier } from './use-typed-identifier.ts';

export interface ListModel {
  readonly list: CatalogueList;
  readonly state: ListState;
  /** Messages about criteria of the address that the list does not support. */
  readonly refused: readonly string[];
  readonly change: ListUrl['change'];
  /** Undefined while unknown, or when the list has no source. */
  readonly source: SourceState | undefined;
  /** True while nothing has been synced at all, for a list that opens with criteria. */
  readonly isUnfilled: boolean;
  readonly choice: ColumnChoice;
  readonly shown: ListRows;
  readonly opened: OpenedGroups;
  readonly selection: Selection;
  /** True when a search narrows the list. */
  readonly narrowed: boolean;
  /** True for pages, false for load more. */
  readonly paged: boolean;
  /** Undefined while nothing more can be loaded. */
  readonly loadMore: (() => Promise<void>) | undefined;
  readonly ask: (change: Partial<RequestedSearch>) => void;
  readonly clear: () => void;
  readonly sortBy: (sort: string) => void;
  /** Makes the current order the user's default; undefined while it is. */
  readonly keepSort: (() => void) | undefined;
  readonly resize: (size: PageSize) => void;
  readonly openRecord: (id: number) => void;
  readonly openView: (view: SavedView | null) => void;
  /** Current search in the form of a view. */
  readonly viewSearch: () => ViewSearch;
  /** Search as sent to the server. */
  readonly searchBody: () => ExportedSearch;
  /** Refetches rows and numbers. */
  readonly refresh: () => void;
  /** Exports the results of a search that is about to be shown. */
  readonly exportSearch: (search: RequestedSearch, format: ExportFormat) => void;
  readonly allRows: (format: ExportFormat) => RowsToExport;
  /** Returns null for too many rows. */
  readonly markedRows: (format: ExportFormat) => RowsToExport | null;
}

/** Opens the initial view, and returns the state of the address, or the expected one while the view is not known. */
function useOpenedState(list: ListDefinition, { state, change, toOpen }: ListUrl, when: When) {
  const waiting = useViewToOpen(list, toOpen, (view) =>
    change(view === 'opening' ? toOpeningChange(list, when) : toChange(list, view, when), {
      replace: true,
    }),
  );
  return { waiting, state: waiting ? toExpectedState(list, state, toOpen, when) : state };
}

export function useListModel(list: CatalogueList): ListModel {
  const url = useListUrl(list);
  const { refused, change } = url;
  const when = { now: 0, timeZone: useReaderZone() };
  const choice = useColumnChoice(list, {
    columns: url.state.columns,
    onColumns: (columns) => void change({ columns }, { replace: true }),
  });
  const openView = (view: SavedView | null) => change(toChange(list, view, when));
  const { state, waiting } = useOpenedState(list, url, when);
  const { criteria, keyword, page, sort, open } = state;
  const fetched = useListRows(list, state, choice, waiting);
  const { shown, opened } = useOpenedGroups(list, fetched, sort);
  const searchBody = useSearchBody(list, state);
  const queries = useQueryClient();
  const marked = useSelectedRows(`${writeCriteria(list, criteria)} ${keyword}`);
  const selection = useGroupedSelection(marked, opened);
  useLastPageRedirect(shown.lastPage, page, change);
  const rememberTyped = useTypedIdentifier(list, keyword, fetched, change);

  function ask(search: Partial<RequestedSearch>): void {
    if (search.keyword !== undefined) rememberTyped(search.keyword);
    const { sort: order, ...rest } = search;
    void change(order === undefined ? rest : { ...rest, sort: order ?? choice.sort });
  }
  const exported = { list, columns: choice.columns, sort };
  const rowExport = useRowExport();
  return {
    list,
    state,
    refused,
    change,
    source: useListSource(list),
    isUnfilled: useIsUnfilled(list),
    choice,
    shown,
    opened,
    selection,
    narrowed: criteria.length > 0 || keyword !== '',
    paged: choice.loadMode === 'paging',
    loadMore: useLoadMore(list, state, shown.loadMore, change),
    ask,
    clear: () => ask({ criteria: [], keyword: '' }),
    sortBy: (next) => void change({ sort: next }),
    keepSort:
      sort === choice.sort
        ? undefined
        : () => choice.prefer({ sort: sort === getPreferredSort(list) ? undefined : sort }),
    resize: (size) => {
      choice.prefer({ pageSize: size === defaultPageSize ? undefined : size });
      void change({ size });
    },
    // Moving between records replaces the history entry.
    openRecord: useOpenRecord(list, shown.rows ?? noRows, (id) =>
      change({ open: id }, { replace: open !== undefined }),
    ),
    openView: (view) => void openView(view),
    viewSearch: () => toViewSearch(list, state, choice.changed ? choice.columns : null),
    searchBody,
    refresh: () =>
      void shown.reload().then((loaded) => {
        // Avoids a second failure while the service is unreachable.
        if (loaded)
          void queries.invalidateQueries({ queryKey: queryKeys.lists.summaries(list.key) });
      }),
    exportSearch: (search, format) =>
      rowExport.begin({
        ...exported,
        format,
        search: buildSearchBody(list, search, when.timeZone),
      }),
    allRows: (format) => ({ ...exported, format, search: searchBody() }),
    markedRows: (format) => {
      const search = selection.allMatching
        ? searchBody()
        : toMarkedSearch(searchBody(), selection.ids);
      return search === null ? null : { ...exported, format, search };
    },
  };
}

/** Returns the page `step` pages away, or undefined when the list does not have it. */
export function getPageAfter(
  { page, size }: Pick<ListState, 'page' | 'size'>,
  totalCount: number | undefined,
  step: 1 | -1,
): number | undefined {
  const to = page + step;
  return totalCount === undefined || to < 1 || to > getLastPage(totalCount, size) ? undefined : to;
}

const noRows: readonly WireRow[] = [];

/** Opens the record in the drawer; a CVE has a page instead. */
function useOpenRecord(
  list: CatalogueList,
  rows: readonly WireRow[],
  openDrawer: (id: number) => Promise<void>,
): (id: number) => void {
  const navigate = useNavigate();
  const latest = useRef({ rows, openDrawer });
  useEffect(() => {
    latest.current = { rows, openDrawer };
  });
  return useCallback(
    (id: number) => {
      const row = latest.current.rows.find((candidate) => candidate.id === id);
      const elsewhere =
        row === undefined || findOwnRecord(list, row) !== null
          ? null
          : findRecordElsewhere(list, row);
      void (elsewhere === null ? latest.current.openDrawer(id) : navigate({ to: elsewhere }));
    },
    [list, navigate],
  );
}
