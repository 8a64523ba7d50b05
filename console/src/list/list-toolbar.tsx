/** Toolbar of a list: refresh, columns and rows, order. */

import { GroupOutlined, PushpinOutlined, ReloadOutlined } from '@ant-design/icons-svg';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isSortable } from '@patch/catalogue/definition/restricted-fields.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { ReactNode } from 'react';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { PlainSelect } from '../widgets/plain-select.tsx';
import type { ColumnChoice } from './columns/column-choice.ts';
import { ColumnMenu } from './columns/column-menu.tsx';
import { HideMuted } from './criteria/hide-muted.tsx';
import styles from './list-toolbar.module.css';

interface ListToolbarProps {
  readonly list: ListDefinition;
  readonly choice: ColumnChoice;
  readonly sort: string;
  readonly busy: boolean;
  readonly criteria: readonly FieldCriterion[];
  /** Cards have no headings, so the toolbar offers the order, as for orders of several fields. */
  readonly narrow: boolean;
  readonly onRefresh: () => void;
  readonly onSort: (sort: string) => void;
  /** Called when rows are grouped or no longer are. */
  readonly onGrouping: () => void;
  /** Undefined while the list has its default order. */
  readonly onKeepSort: (() => void) | undefined;
  readonly onCriteria: (criteria: readonly FieldCriterion[]) => void;
  /** First buttons of the toolbar. */
  readonly lead: ReactNode;
  /** Last buttons: exporting, sharing. */
  readonly children: ReactNode;
}

export function ListToolbar(props: ListToolbarProps) {
  const { list, choice, sort, busy, criteria, narrow, onRefresh, onSort, onKeepSort, onCriteria } =
    props;
  // No heading shows an order of several fields.
  const hasNamedSort = Object.keys(list.compoundSorts).length > 0;
  return (
    <div
      role="toolbar"
      aria-label="List"
      className={`${styles['toolbar']} flex flex-none flex-wrap items-center gap-1 max-w-full ml-auto`}
    >
      {props.lead}
      {(narrow || hasNamedSort) && (
        <PlainSelect
          label="Sort by"
          value={sort}
          options={[
            ...Object.entries(list.compoundSorts).map(([value, { label }]) => ({ value, label })),
            ...listSortedColumns(list, choice.columns, sort).flatMap((name) => [
              { value: name, label: `${getField(list, name).label} ↑` },
              { value: `-${name}`, label: `${getField(list, name).label} ↓` },
            ]),
          ]}
          onChange={onSort}
        />
      )}
      <HideMuted list={list} criteria={criteria} narrow={narrow} onCriteria={onCriteria} />
      {onKeepSort === undefined ? null : (
        <Button
          look="quiet"
          icon={<Icon of={PushpinOutlined} />}
          aria-label="Set this order as default"
          title="Set this order as default"
          onClick={onKeepSort}
        >
          {!narrow && 'Set this order as default'}
        </Button>
      )}
      <Button
        look="quiet"
        icon={<Icon of={ReloadOutlined} spin={busy} />}
        aria-label="Refresh"
        title="Refresh"
        onClick={onRefresh}
      >
        {!narrow && 'Refresh'}
      </Button>
      <ColumnMenu list={list} choice={choice} narrow={narrow} />
      {list.countedBy !== undefined && (
        <Button
          look="quiet"
          icon={<Icon of={GroupOutlined} />}
          aria-pressed={choice.grouped}
          aria-label="Group updates"
          title="One row for each update"
          onClick={() => {
            choice.prefer({ grouping: choice.grouped ? 'off' : undefined });
            props.onGrouping();
          }}
        >
          {!narrow && 'Group updates'}
        </Button>
      )}
      {props.children}
    </div>
  );
}

/** Returns the sortable columns, and the field of the present order. */
function listSortedColumns(
  list: ListDefinition,
  columns: readonly string[],
  sort: string,
): readonly string[] {
  const present = Object.hasOwn(list.compoundSorts, sort) ? [] : [sort.replace(/^-/, '')];
  return [...new Set([...columns.filter((name) => isSortable(list, name)), ...present])];
}
