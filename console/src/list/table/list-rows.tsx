/** Rows of a list's table: placeholders until the first rows arrive, one row with the keyboard cursor. */

import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isMuted } from '@patch/catalogue/definition/record-badges.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import type { RowGroup } from '@patch/contract/records/grouped-search-endpoint.ts';
import { memo } from 'react';
import { rowHeights } from '../../theme/tokens.ts';
import { type ColumnChoice, headlineColumn, identityColumn } from '../columns/column-choice.ts';
import type { ShownTitle } from '../columns/short-title.ts';
import type { OpenedGroups } from '../pages/use-opened-groups.ts';
import groups from './group-toggle.module.css';
import { GroupToggle } from './group-toggle.tsx';
import { HeadlineCell, RecordLink } from './headline-cell.tsx';
import styles from './list-table.module.css';
import { getRowName, isOnBookmark, RowBookmark, type Selection } from './row-selection.tsx';
import { RowValue } from './row-value.tsx';
import { useVirtualRows } from './use-virtual-rows.ts';

export interface RowsProps {
  readonly list: ListDefinition;
  /** Undefined while the first rows load. */
  readonly rows: readonly WireRow[] | undefined;
  /** Index of the row on the page. */
  readonly cursor: number;
  readonly openId: number | undefined;
  /** True while the rows belong to the previous state. */
  readonly stale: boolean;
  readonly onOpen: (id: number) => void;
  readonly selection: Selection;
  readonly opened: OpenedGroups;
}

interface TableRowsProps extends RowsProps {
  readonly columns: readonly string[];
  readonly sort: string;
  /** Number of rows on previous pages. */
  readonly offset: number;
  readonly skeletonRows: number;
  readonly shownTitle: ShownTitle;
  readonly density: ColumnChoice['density'];
  readonly onCursor: (cursor: number) => void;
}

export const noRows: readonly WireRow[] = [];

export function TableRows(props: TableRowsProps) {
  const { list, rows, columns, cursor, offset, selection, density, opened } = props;
  const { shownTitle, onOpen, onCursor } = props;
  const { container, items } = useVirtualRows<HTMLTableSectionElement>(rows ?? noRows, cursor, {
    shape: density,
    estimate: rowHeights[density],
    gap: 0,
  });
  const identity = identityColumn(list, columns);
  const headline = headlineColumn(list, columns) ?? identity;
  const sorted = props.sort.replace(/^-/, '');
  return (
    <tbody ref={container} data-stale={props.stale || undefined}>
      {rows === undefined
        ? Array.from({ length: props.skeletonRows }, (_, index) => (
            <SkeletonRow key={index} columns={columns} index={index} />
          ))
        : items.map((item) => {
            if (item.kind === 'gap') return <Gap key={`gap ${item.from}`} height={item.height} />;
            const { index } = item;
            const row = rows[index];
            return row === undefined ? null : (
              <Row
                key={row.id}
                {...{ list, row, columns, identity, headline, sorted, shownTitle, index }}
                {...{ onOpen, onCursor }}
                rowIndex={offset + index + 2}
                hasCursor={index === cursor}
                isOpen={row.id === props.openId}
                isMarked={selection.allMatching || selection.ids.has(row.id)}
                onMark={selection.toggle}
                group={opened.groups.get(row.id)}
                isGroupOpen={opened.open.has(row.id)}
                isInner={opened.inner.has(row.id)}
                onGroup={opened.toggle}
              />
            );
          })}
    </tbody>
  );
}

/** Placeholder of rows that are not rendered. */
function Gap({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td />
    </tr>
  );
}

interface RowProps extends Pick<RowsProps, 'list' | 'onOpen'> {
  readonly row: WireRow;
  readonly columns: readonly string[];
  readonly identity: string | undefined;
  /** Column that shows title facts and badges. */
  readonly headline: string | undefined;
  /** Column that the rows are sorted by. */
  readonly sorted: string;
  readonly shownTitle: ShownTitle;
  readonly index: number;
  readonly rowIndex: number;
  readonly hasCursor: boolean;
  readonly isOpen: boolean;
  readonly isMarked: boolean;
  readonly onMark: (id: number) => void;
  readonly group: RowGroup | undefined;
  readonly isGroupOpen: boolean;
  /** True below the row of an open update. */
  readonly isInner: boolean;
  readonly onGroup: (id: number) => void;
  readonly onCursor: (cursor: number) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { list, row, columns, identity, headline, hasCursor, isMarked } = props;
  const toggle = (
    <GroupToggle
      list={list}
      group={props.group}
      isOpen={props.isGroupOpen}
      onToggle={() => props.onGroup(row.id)}
    />
  );
  return (
    <tr
      className={styles['row']}
      tabIndex={hasCursor ? 0 : -1}
      data-row={row.id}
      data-cursor={hasCursor || undefined}
      data-muted={isMuted(list, row) || undefined}
      data-inner={props.isInner || undefined}
      aria-rowindex={props.rowIndex}
      aria-selected={isMarked}
      aria-current={props.isOpen || undefined}
      onFocus={() => props.onCursor(props.index)}
      onClick={({ target }) => {
        // Selecting text or marking the row does not open the record.
        if (getSelection()?.isCollapsed !== false && !isOnBookmark(target)) props.onOpen(row.id);
      }}
    >
      <td className={styles['mark']}>
        <RowBookmark
          name={getRowName(list, row)}
          marked={isMarked}
          onToggle={() => props.onMark(row.id)}
        />
      </td>
      {columns.map((name) => {
        const field = getField(list, name);
        return (
          <td key={name} data-kind={field.kind} data-sorted={name === props.sorted || undefined}>
            {name === headline ? (
              <HeadlineCell
                {...{ list, row, columns, name }}
                isIdentity={name === identity}
                shown={props.shownTitle(row)}
              >
                {name === identity && toggle}
              </HeadlineCell>
            ) : name === identity ? (
              <span className={groups['cell']}>
                <RecordLink list={list} row={row} field={field} name={name} />
                {toggle}
              </span>
            ) : (
              <RowValue list={list} row={row} name={name} />
            )}
          </td>
        );
      })}
    </tr>
  );
});

/** Placeholder bars of different, fixed lengths. */
function SkeletonRow({ columns, index }: Pick<RowProps, 'columns' | 'index'>) {
  return (
    <tr aria-hidden className={styles['row']}>
      <td />
      {columns.map((name, column) => (
        <td key={name}>
          <span
            className={styles['bone']}
            style={{ width: `${45 + ((index * 7 + column * 13) % 45)}%` }}
          />
        </td>
      ))}
    </tr>
  );
}
