/** The one list screen of all lists; whatever differs among them comes from the list's definition. */
import { withoutRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { type ExportFormat } from '@patch/contract/export-endpoints.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiCallError } from '../api/call-api.ts';
import { timeZone, useSession } from '../api/session.ts';
import { partsOfList } from '../clients/client-parts.ts';
import { useNarrow } from '../theme/media-query.ts';
import { ReaderZone, useReaderZone } from '../values/reader-zone.ts';
import { lazyAntd } from '../widgets/lazy-antd.tsx';
import { useHasBeen } from '../widgets/use-has-been.ts';
import { type AskedSearch, isNamed, looksLikeIdentifier } from './asked-search.ts';
import { useColumnChoice } from './column-choice.ts';
import { CopyLink } from './copy-link.tsx';
import { CriterionChips } from './criterion-chips.tsx';
import { ExportMenu } from './export-menu.tsx';
import { type RowsToExport, searchOfMarked } from './export-rows.ts';
import { ListHeading } from './list-heading.tsx';
import { ListPager, LoadMore } from './list-pager.tsx';
import styles from './list-screen.module.css';
import { EmptyCatalogue, ListFailure, NoMatch } from './list-state.tsx';
import { ListTable } from './list-table.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { defaultPageSize, lastPage, writeWholeState } from './list-url.ts';
import { changeToView, useDefaultView } from './opened-view.ts';
import { RowCards } from './row-cards.tsx';
import { SavedViewsMenu } from './saved-views-menu.tsx';
import { SearchBar, type SearchBarHandle } from './search-bar.tsx';
import { useSelectedRows } from './selected-rows.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useAsked, useListRows } from './use-list-page.ts';
import { useListSource } from './use-list-source.ts';
import { useListUrl } from './use-list-url.ts';
import { useLoadMore } from './use-load-more.ts';
import { searchOfState } from './use-saved-views.ts';
import { useUpdateCount } from './use-update-count.ts';

const RecordDrawer = lazyAntd(() => import('../detail/record-drawer.tsx'), 'RecordDrawer');
const SyntaxHelp = lazyAntd(() => import('./syntax-help.tsx'), 'SyntaxHelp');

export function ListScreen({ list }: { readonly list: CatalogueList }) {
  const isAdmin = useSession().user?.userType === 'Admin';
  const shown = useMemo(() => (isAdmin ? list : withoutRestricted(list)), [isAdmin, list]);
  return (
    <ReaderZone value={timeZone()}>
      <OneList key={list.key} list={shown} />
    </ReaderZone>
  );
}

function OneList({ list }: { readonly list: CatalogueList }) {
  const { state, refused, change, bare } = useListUrl(list);
  const { criteria, keyword, page, size, sort, open } = state;
  const source = useListSource(list);
  const when = { now: 0, timeZone: useReaderZone() };
  const choice = useColumnChoice(list, {
    columns: state.columns,
    onColumns: (columns) => void change({ columns }, { replace: true }),
  });
  const openView = (view: SavedView | null, how?: { readonly replace: boolean }) =>
    change(changeToView(list, view, when), how);
  const waiting = useDefaultView(list, bare, openView);
  const paged = choice.loadMode === 'paging';
  const shownRows = useListRows(list, state, choice.loadMode, waiting);
  const { rows, totalCount, error, stale, isFetching, refetch } = shownRows;
  const loadMore = useLoadMore(list, state, shownRows.loadMore, change);
  const asked = useAsked(list, state);
  const selection = useSelectedRows(`${writeCriteria(list, criteria)} ${keyword}`);
  const narrow = useNarrow();

  const [editing, setEditing] = useState<string>();
  const [help, setHelp] = useState(false);
  // Fetched when first asked for, and kept: what slides away must be there to slide.
  const helped = useHasBeen(help);
  const opened = useHasBeen(open !== undefined);
  const screen = useRef<HTMLDivElement>(null);
  const searchBar = useRef<SearchBarHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);

  const narrowed = criteria.length > 0 || keyword !== '';
  const Beside = partsOfList(list.key)?.Heading;

  // A page beyond the end is the last one.
  useEffect(() => {
    if (shownRows.lastPage === undefined || page <= shownRows.lastPage) return;
    void change({ page: shownRows.lastPage }, { replace: true });
  }, [shownRows.lastPage, page, change]);

  const updateCount = useUpdateCount(list, state, stale ? undefined : totalCount);
  const { cursor, setCursor, focusRow, focusNextPage } = useRowCursor(screen, rows, stale);
  // A new page is read from its top; an address that is opened or gone back to is scrolled by the router.
  const shownFrom = useRef({ page, sort });
  useEffect(() => {
    if (stale) return;
    const { current } = shownFrom;
    if ((paged && current.page !== page) || current.sort !== sort)
      scroller.current?.scrollTo({ top: 0 });
    shownFrom.current = { page, sort };
  }, [paged, page, sort, stale]);

  // An exact identifier that was typed and has one record opens it.
  const typedIdentifier = useRef<string>(undefined);
  useEffect(() => {
    const asked = typedIdentifier.current;
    if (asked === undefined || asked !== keyword || stale || rows === undefined) return;
    typedIdentifier.current = undefined;
    const [row, ...others] = rows;
    if (row !== undefined && others.length === 0 && isNamed(list, row, asked))
      void change({ open: row.id }, { replace: true });
  }, [list, rows, stale, keyword, change]);

  function ask(asked: Partial<AskedSearch>): void {
    if (asked.keyword !== undefined && looksLikeIdentifier(asked.keyword))
      typedIdentifier.current = asked.keyword;
    void change(asked);
  }
  const clear = () => ask({ criteria: [], keyword: '' });
  // Going from record to record is one step for Back.
  const onOpen = useCallback(
    (id: number) => void change({ open: id }, { replace: open !== undefined }),
    [change, open],
  );

  function sortBy(next: string): void {
    choice.prefer({ sort: next === list.defaultSort ? undefined : next });
    void change({ sort: next });
  }

  function exportMarked(format: ExportFormat): RowsToExport | null {
    const search = selection.allMatching ? asked() : searchOfMarked(asked(), selection.ids);
    return search === null ? null : { list, format, columns: choice.columns, sort, search };
  }

  useListKeys(screen, cursor, rows?.length ?? 0, {
    search: () => searchBar.current?.focus(),
    help: () => setHelp(true),
    moveTo: focusRow,
    openRow: () => {
      const row = rows?.[cursor];
      if (row !== undefined) onOpen(row.id);
    },
    toggleRow: () => {
      const row = rows?.[cursor];
      if (row !== undefined) selection.toggle(row.id);
    },
    turnPage: (step) => {
      if (!paged) {
        if (step === 1) void loadMore?.();
        return;
      }
      const to = page + step;
      if (totalCount === undefined || to < 1 || to > lastPage(totalCount, size)) return;
      focusNextPage();
      void change({ page: to });
    },
  });

  const rowsProps = {
    list,
    rows,
    cursor,
    openId: open,
    stale,
    onOpen,
    selection,
    skeletonRows: Math.min(size, 25),
  };
  const refusedByServer =
    error instanceof ApiCallError && error.status === 422 ? [error.userMessage] : [];
  return (
    <div ref={screen} className={styles['screen']}>
      <ListHeading
        list={list}
        totalCount={totalCount}
        updateCount={updateCount}
        narrowed={narrowed}
        stale={stale}
        source={source}
        actions={
          <>
            {Beside === undefined ? null : <Beside />}
            <SavedViewsMenu
              list={list}
              shown={searchOfState(list, state, choice.changed ? choice.columns : null)}
              openView={typeof state.view === 'number' ? state.view : undefined}
              onOpen={(view) => void openView(view)}
            />
          </>
        }
      />
      <SearchBar
        list={list}
        asked={state}
        handle={searchBar}
        onAsk={ask}
        onHelp={() => setHelp(true)}
        refused={[
          ...refused.map((reason) => `${reason}. This criterion of the link was left out.`),
          ...refusedByServer,
        ]}
      />
      <div className={styles['tools']}>
        <CriterionChips
          list={list}
          asked={state}
          editing={editing}
          onEditing={setEditing}
          onEditKeyword={() => searchBar.current?.edit(keyword)}
          onFocusLost={() => searchBar.current?.focus()}
          onAsk={ask}
        />
        <ListToolbar
          list={list}
          choice={choice}
          sort={sort}
          busy={isFetching}
          criteria={criteria}
          narrow={narrow}
          onRefresh={refetch}
          onSort={sortBy}
          onCriteria={(next) => ask({ criteria: next })}
        >
          <ExportMenu
            rowsOf={(format) => ({ list, format, columns: choice.columns, sort, search: asked() })}
          />
          <CopyLink search={writeWholeState(list, state, choice.columns)} />
        </ListToolbar>
      </div>
      {totalCount === undefined ? null : (
        <SelectionBar selection={selection} totalCount={totalCount}>
          <ExportMenu rowsOf={exportMarked}>Export</ExportMenu>
        </SelectionBar>
      )}
      {error !== null ? (
        <div className={styles['instead']}>
          <ListFailure failure={error} onReload={refetch} onClear={narrowed ? clear : undefined} />
        </div>
      ) : totalCount === 0 && !stale ? (
        <div className={styles['instead']}>
          {narrowed ? (
            <NoMatch list={list} onClear={clear} />
          ) : (
            <EmptyCatalogue list={list} source={source} />
          )}
        </div>
      ) : narrow ? (
        <RowCards {...rowsProps} columns={choice.columns} />
      ) : (
        <ListTable
          {...rowsProps}
          choice={choice}
          sort={sort}
          totalCount={totalCount}
          offset={paged ? (page - 1) * size : 0}
          scroller={scroller}
          onSort={sortBy}
          onCursor={setCursor}
        />
      )}
      {totalCount === 0 || error !== null ? null : !paged ? (
        <LoadMore
          shown={rows?.length ?? 0}
          totalCount={totalCount}
          busy={isFetching}
          onMore={loadMore && (() => void loadMore())}
        />
      ) : (
        <ListPager
          page={page}
          size={size}
          totalCount={totalCount}
          stale={stale}
          onPage={(next) => void change({ page: next })}
          onSize={(next) => {
            choice.prefer({ pageSize: next === defaultPageSize ? undefined : next });
            void change({ size: next });
          }}
        />
      )}
      {helped ? <SyntaxHelp list={list} open={help} onClose={() => setHelp(false)} /> : null}
      {opened ? (
        <RecordDrawer
          list={list}
          id={open}
          ids={rows?.map(({ id }) => id) ?? []}
          onOpen={onOpen}
          onClose={() => void change({ open: undefined })}
          onClosed={(id) =>
            screen.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus()
          }
        />
      ) : null}
    </div>
  );
}

/** The row that the keyboard stands on. It begins at the top of each page; the focus follows it when keys move it. */
function useRowCursor(
  screen: RefObject<HTMLElement | null>,
  rows: readonly { readonly id: number }[] | undefined,
  stale: boolean,
) {
  const first = rows?.[0]?.id;
  const [at, setAt] = useState({ first, place: 0 });
  const setCursor = useCallback((place: number) => setAt({ first, place }), [first]);
  const toFocus = useRef(false);
  const focusAt = (place: number) =>
    screen.current?.querySelectorAll<HTMLElement>('[data-row]')[place]?.focus();
  useEffect(() => {
    if (first === undefined || stale || !toFocus.current) return;
    toFocus.current = false;
    screen.current?.querySelector<HTMLElement>('[data-row]')?.focus();
  }, [first, stale, screen]);
  return {
    cursor: at.first === first ? at.place : 0,
    setCursor,
    focusRow: (place: number) => {
      setCursor(place);
      focusAt(place);
    },
    focusNextPage: () => {
      toFocus.current = true;
    },
  };
}
