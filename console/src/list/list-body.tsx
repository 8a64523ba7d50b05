/** Rows of a list as a table, or as cards on narrow screens, with placeholders and the pager. */
import type { RefObject } from 'react';
import { withSortedColumn } from './columns/column-choice.ts';
import { EmptyCatalogue, ListFailure, NoMatch } from './list-state.tsx';
import type { ListModel } from './model/use-list-model.ts';
import { ListPager, LoadMore } from './pages/list-pager.tsx';
import { RefreshFailure } from './pages/refresh-failure.tsx';
import { ListTable } from './table/list-table.tsx';
import { RowCards } from './table/row-cards.tsx';
import type { RowCursor } from './table/use-row-cursor.ts';

interface ListBodyProps {
  readonly model: ListModel;
  readonly narrow: boolean;
  readonly cursor: RowCursor;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

export function ListBody({ model, narrow, cursor, scroller }: ListBodyProps) {
  const { list, state, shown, choice, selection, narrowed, clear } = model;
  const { rows, totalCount, error, stale } = shown;
  if (error !== null)
    return (
      <div className="relative flex-1 min-h-0 border rounded bg-surface overflow-auto">
        <ListFailure
          failure={error}
          onReload={shown.refetch}
          onClear={narrowed ? clear : undefined}
        />
      </div>
    );
  if (totalCount === 0 && !stale)
    return (
      <div className="relative flex-1 min-h-0 border rounded bg-surface overflow-auto">
        {narrowed && !model.isUnfilled ? (
          <NoMatch list={list} currentSearch={state} onAsk={model.ask} onClear={clear} />
        ) : (
          <EmptyCatalogue list={list} source={model.source} />
        )}
      </div>
    );
  const columns = withSortedColumn(list, choice.columns, state.sort);
  const rowsProps = {
    list,
    rows,
    cursor: cursor.cursor,
    openId: state.open,
    stale,
    onOpen: model.openRecord,
    selection,
    opened: model.opened,
    skeletonRows: Math.min(state.size, 25),
    sort: state.sort,
    columns,
  };
  const refreshFailure = <RefreshFailure shown={shown} />;
  return narrow ? (
    <>
      {refreshFailure}
      <RowCards {...rowsProps} />
    </>
  ) : (
    <>
      {refreshFailure}
      <ListTable
        {...rowsProps}
        choice={choice}
        totalCount={totalCount}
        offset={model.paged ? (state.page - 1) * state.size : 0}
        scroller={scroller}
        onSort={model.sortBy}
        onCursor={cursor.setCursor}
      />
    </>
  );
}

/** Renders nothing without rows. */
export function ListFoot({ model }: Pick<ListBodyProps, 'model'>) {
  const { state, shown, change, loadMore } = model;
  const { rows, totalCount, error, stale, isFetching } = shown;
  if (totalCount === 0 || error !== null) return null;
  return model.paged ? (
    <ListPager
      page={state.page}
      size={state.size}
      totalCount={totalCount}
      stale={stale}
      onPage={(page) => void change({ page })}
      onSize={model.resize}
    />
  ) : (
    <LoadMore
      shown={rows?.length ?? 0}
      totalCount={totalCount}
      busy={isFetching}
      onMore={loadMore && (() => void loadMore())}
    />
  );
}
