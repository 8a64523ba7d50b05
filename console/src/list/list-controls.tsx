/** Controls above the rows: heading with views, search bar, criteria, toolbar, selection bar. */

import { typedKeyword } from '@patch/contract/filter/search-words.ts';
import { type RefObject, useState } from 'react';
import { ApiCallError } from '../api/call-api.ts';
import { findListParts } from '../clients/list-parts.ts';
import { CopyLink } from './address/copy-link.tsx';
import { writeFullState } from './address/list-url.ts';
import { CriterionChips } from './criteria/criterion-chips.tsx';
import { CsvButton } from './export/csv-button.tsx';
import { ExportMenu } from './export/export-menu.tsx';
import { ListHeading } from './list-heading.tsx';
import styles from './list-screen.module.css';
import { ListToolbar } from './list-toolbar.tsx';
import type { ListModel } from './model/use-list-model.ts';
import { useUpdateCount } from './model/use-update-count.ts';
import { SavedViewsMenu } from './saved-views/saved-views-menu.tsx';
import { SearchBar, type SearchBarHandle } from './search-bar/search-bar.tsx';
import { SubscribeButton } from './subscribe/subscribe-button.tsx';
import { SummaryButtons, type SummarySections } from './summary/list-summary.tsx';
import { noRows } from './table/list-rows.tsx';
import { SelectionBar } from './table/row-selection.tsx';

interface ListControlsProps {
  readonly model: ListModel;
  readonly narrow: boolean;
  readonly searchBar: RefObject<SearchBarHandle | null>;
  readonly onHelp: () => void;
  readonly sections: SummarySections;
}

export function ListControls(props: ListControlsProps) {
  const { list, shown, selection, markedRows } = props.model;
  const Marked = findListParts(list.key)?.Marked;
  return (
    <>
      <HeadingWithViews model={props.model} />
      <SearchBar
        list={list}
        rows={shown.rows ?? noRows}
        currentSearch={props.model.state}
        handle={props.searchBar}
        onAsk={props.model.ask}
        onExport={props.model.exportSearch}
        onHelp={props.onHelp}
        refused={refusals(props.model)}
      />
      <CriteriaAndTools {...props} />
      {shown.recordCount === undefined ? null : (
        <SelectionBar selection={selection} totalCount={shown.recordCount}>
          {Marked === undefined || selection.allMatching ? null : (
            <Marked ids={[...selection.ids]} />
          )}
          <ExportMenu buildExport={markedRows} small>
            Export
          </ExportMenu>
        </SelectionBar>
      )}
    </>
  );
}

function HeadingWithViews({ model }: Pick<ListControlsProps, 'model'>) {
  const { list, state, shown, source, narrowed } = model;
  const { recordCount, totalCount, stale } = shown;
  const { grouped } = model.choice;
  const counted = useUpdateCount(list, state, stale || grouped ? undefined : recordCount);
  const updateCount = grouped ? totalCount : counted;
  const Beside = findListParts(list.key)?.Heading;
  return (
    <ListHeading
      list={list}
      totalCount={recordCount}
      updateCount={updateCount}
      narrowed={narrowed}
      stale={stale}
      source={source}
      actions={
        <>
          {Beside === undefined ? null : <Beside />}
          <SavedViewsMenu
            list={list}
            shown={model.viewSearch()}
            openView={typeof state.view === 'number' ? state.view : undefined}
            onOpen={model.openView}
          />
        </>
      }
    />
  );
}

function CriteriaAndTools({ model, narrow, searchBar, sections }: ListControlsProps) {
  const { list, state, choice, shown, ask } = model;
  const [editing, setEditing] = useState<string>();
  return (
    <div className={`${styles['tools']} flex items-start gap-y-2 gap-x-4`}>
      <CriterionChips
        list={list}
        currentSearch={state}
        editing={editing}
        onEditing={setEditing}
        onEditKeyword={() => searchBar.current?.edit(typedKeyword(state.keyword))}
        onFocusLost={() => searchBar.current?.focus()}
        onAsk={ask}
        usualSort={choice.sort}
      />
      <ListToolbar
        list={list}
        choice={choice}
        sort={state.sort}
        busy={shown.isFetching}
        criteria={state.criteria}
        narrow={narrow}
        onRefresh={model.refresh}
        onSort={model.sortBy}
        onGrouping={() => void model.change({ page: 1 })}
        onKeepSort={model.keepSort}
        onCriteria={(criteria) => ask({ criteria })}
        lead={<SummaryButtons model={model} sections={sections} narrow={narrow} />}
      >
        <CsvButton buildExport={model.allRows} />
        <ExportMenu buildExport={model.allRows}>{!narrow && 'Export'}</ExportMenu>
        <SubscribeButton model={model} narrow={narrow} />
        <CopyLink search={writeFullState(list, state, choice.columns)} narrow={narrow} />
      </ListToolbar>
    </div>
  );
}

/** Returns messages for criteria that the address or the server rejected. */
function refusals({ refused, shown: { error } }: ListModel): readonly string[] {
  return [
    ...refused.map((reason) => `${reason}. This criterion of the link was left out.`),
    ...(error instanceof ApiCallError && error.status === 422 ? [error.userMessage] : []),
  ];
}
