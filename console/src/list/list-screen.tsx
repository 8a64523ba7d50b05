/** Screen of all lists. Differences come from the list's definition. */
import { withoutRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { type RefObject, useMemo, useRef, useState } from 'react';
import { timeZone, useMay } from '../api/session.ts';
import { useNarrow } from '../theme/media-query.ts';
import { ReaderZone } from '../values/reader-zone.ts';
import { lazyAntd } from '../widgets/lazy-antd.tsx';
import { useHasBeen } from '../widgets/use-has-been.ts';
import { ListBody, ListFoot } from './list-body.tsx';
import { ListControls } from './list-controls.tsx';
import styles from './list-screen.module.css';
import { getPageAfter, type ListModel, useListModel } from './model/use-list-model.ts';
import { useScrollToTop } from './pages/use-page-effects.ts';
import type { SearchBarHandle } from './search-bar/search-bar.tsx';
import { useSummarySections, WithSummary } from './summary/list-summary.tsx';
import { noRows } from './table/list-rows.tsx';
import { findOwnRecord } from './table/record-elsewhere.ts';
import { type RowCursor, useRowCursor } from './table/use-row-cursor.ts';
import { useListKeys } from './use-list-keys.ts';

const RecordDrawer = lazyAntd(() => import('../detail/record-drawer.tsx'), 'RecordDrawer');
const SyntaxHelp = lazyAntd(() => import('./search-bar/syntax-help.tsx'), 'SyntaxHelp');

export function ListScreen({ list }: { readonly list: CatalogueList }) {
  const isAdmin = useMay('admin');
  const shown = useMemo(() => (isAdmin ? list : withoutRestricted(list)), [isAdmin, list]);
  return (
    <ReaderZone value={timeZone()}>
      <ListContent key={list.key} list={shown} />
    </ReaderZone>
  );
}

function ListContent({ list }: { readonly list: CatalogueList }) {
  const model = useListModel(list);
  const { state, shown, paged } = model;
  const narrow = useNarrow();
  const [help, setHelp] = useState(false);
  // Stays mounted after the first use for its closing animation.
  const isHelpMounted = useHasBeen(help);
  const screen = useRef<HTMLDivElement>(null);
  const searchBar = useRef<SearchBarHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const cursor = useRowCursor(screen, shown.rows, shown.stale);
  const sections = useSummarySections(model);
  useScrollToTop(scroller, state, { paged, stale: shown.stale });
  useRowKeys(screen, model, cursor, {
    search: () => searchBar.current?.focus(),
    help: () => setHelp(true),
  });
  return (
    <div ref={screen} className={`${styles['screen']} flex flex-col gap-3`}>
      <ListControls
        model={model}
        narrow={narrow}
        searchBar={searchBar}
        onHelp={() => setHelp(true)}
        sections={sections}
      />
      <WithSummary model={model} sections={sections}>
        <ListBody model={model} narrow={narrow} cursor={cursor} scroller={scroller} />
        <ListFoot model={model} />
      </WithSummary>
      {isHelpMounted ? (
        <SyntaxHelp
          list={list}
          rows={shown.rows ?? noRows}
          open={help}
          onClose={() => setHelp(false)}
        />
      ) : null}
      <OpenRecord model={model} cursor={cursor} />
    </div>
  );
}

/** Drawer of the record in the address. */
function OpenRecord({
  model: { list, state, shown, change, openRecord },
  cursor,
}: {
  readonly model: ListModel;
  readonly cursor: RowCursor;
}) {
  const rows = shown.rows ?? noRows;
  const opened = useHasBeen(state.open !== undefined);
  return opened ? (
    <RecordDrawer
      list={list}
      id={state.open}
      rows={rows}
      findOwn={findOwnRecord}
      onOpen={openRecord}
      onClose={() => void change({ open: undefined })}
      onClosed={(id) => {
        const index = rows.findIndex((row) => row.id === id);
        if (index >= 0) cursor.focusRow(index);
      }}
    />
  ) : null;
}

/** Connects the keyboard to rows and pages. */
function useRowKeys(
  screen: RefObject<HTMLElement | null>,
  { state, shown, selection, paged, loadMore, change, openRecord }: ListModel,
  { cursor, focusRow, focusNextPage }: RowCursor,
  others: { readonly search: () => void; readonly help: () => void },
): void {
  const row = shown.rows?.[cursor];
  useListKeys(screen, cursor, shown.rows?.length ?? 0, {
    ...others,
    moveTo: focusRow,
    openRow: () => row && openRecord(row.id),
    toggleRow: () => row && selection.toggle(row.id),
    turnPage: (step) => {
      if (!paged) {
        if (step === 1) void loadMore?.();
        return;
      }
      const to = getPageAfter(state, shown.totalCount, step);
      if (to === undefined) return;
      focusNextPage();
      void change({ page: to });
    },
  });
}
