/** The rows as a table: sticky heads that sort and can be dragged wider, one row that holds the keyboard's cursor. */

import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons-svg';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isMuted } from '@patch/catalogue/definition/record-badges.ts';
import { isSortable } from '@patch/catalogue/definition/restricted-fields.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { memo, type RefObject, useLayoutEffect, useState } from 'react';
import { sizes } from '../theme/tokens.ts';
import { Cell } from '../values/cell-of-kind.tsx';
import { BadgedValue } from '../values/record-badges.tsx';
import { Icon } from '../widgets/icon.tsx';
import { type ColumnChoice, headlineColumn, identityColumn } from './column-choice.ts';
import { columnWidths } from './column-widths.ts';
import { HeadResizer } from './head-resizer.tsx';
import styles from './list-table.module.css';
import { RecordLink } from './record-link.tsx';
import { isOnBookmark, nameOfRow, PageBookmark, RowBookmark } from './row-marks.tsx';
import type { Selection } from './selected-rows.ts';
import { ariaSort, sortAfterClick } from './sort-order.ts';

export interface RowsProps {
  readonly list: ListDefinition;
  /** Undefined while the first ones are on their way. */
  readonly rows: readonly WireRow[] | undefined;
  /** Of the row's place on the page. */
  readonly cursor: number;
  readonly openId: number | undefined;
  /** The rows of the state before, while those of this one are on their way. */
  readonly stale: boolean;
  readonly onOpen: (id: number) => void;
  readonly selection: Selection;
}

interface ListTableProps extends RowsProps {
  readonly choice: ColumnChoice;
  readonly sort: string;
  readonly totalCount: number | undefined;
  /** Rows on the pages before. */
  readonly offset: number;
  readonly skeletonRows: number;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onSort: (sort: string) => void;
  readonly onCursor: (cursor: number) => void;
}

export function ListTable(props: ListTableProps) {
  const { list, choice, rows, sort, scroller } = props;
  const available = useWidth(scroller);
  const widths = columnWidths(list, choice.columns, choice.widths, available - sizes.markColumn);
  return (
    <div
      ref={scroller}
      className={styles['scroller']}
      data-scroll-restoration-id={`rows of ${list.key}`}
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its rows are reached and marked by keys: a grid made of the elements of a table
        role="grid"
        aria-label={list.label}
        aria-busy={rows === undefined || props.stale}
        aria-rowcount={props.totalCount === undefined ? -1 : props.totalCount + 1}
        className={styles['table']}
        data-density={choice.density}
        style={{ width: widths.reduce((total, width) => total + width, sizes.markColumn) }}
      >
        <colgroup>
          <col style={{ width: sizes.markColumn }} />
          {choice.columns.map((name, place) => (
            <col key={name} style={{ width: widths[place] }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles['head']}>
              <PageBookmark rows={rows} selection={props.selection} />
            </th>
            {choice.columns.map((name, place) => (
              <Head
                key={name}
                {...props}
                name={name}
                width={widths[place] ?? 0}
                onWidth={(width) => choice.setWidth(name, width)}
              />
            ))}
          </tr>
        </thead>
        <Rows {...props} />
      </table>
      <span className="visually-hidden" aria-live="polite">
        {sort === list.defaultSort
          ? ''
          : `Sorted by ${fieldOf(list, sort.replace(/^-/, '')).label}`}
      </span>
    </div>
  );
}

function Rows(props: ListTableProps) {
  const { list, rows, cursor, offset, selection } = props;
  const { columns } = props.choice;
  const identity = identityColumn(list, columns);
  const headline = headlineColumn(list, columns) ?? identity;
  return (
    <tbody data-stale={props.stale || undefined}>
      {rows === undefined
        ? Array.from({ length: props.skeletonRows }, (_, place) => (
            <SkeletonRow key={place} columns={columns} place={place} />
          ))
        : rows.map((row, place) => (
            <Row
              key={row.id}
              list={list}
              row={row}
              columns={columns}
              identity={identity}
              headline={headline}
              place={place}
              rowIndex={offset + place + 2}
              hasCursor={place === cursor}
              isOpen={row.id === props.openId}
              isMarked={selection.allMatching || selection.ids.has(row.id)}
              onMark={selection.toggle}
              onOpen={props.onOpen}
              onCursor={props.onCursor}
            />
          ))}
    </tbody>
  );
}

function Head({
  list,
  name,
  sort,
  onSort,
  width,
  onWidth,
}: ListTableProps & {
  readonly name: string;
  readonly width: number;
  readonly onWidth: (width: number) => void;
}) {
  const { label, help } = fieldOf(list, name);
  const order = ariaSort(sort, name);
  const tip = help === undefined ? { 'data-tip-when-cut': label } : { 'data-tip': help };
  return (
    <th
      scope="col"
      aria-sort={isSortable(list, name) ? order : undefined}
      className={styles['head']}
    >
      {isSortable(list, name) ? (
        <button
          type="button"
          className={styles['sort']}
          data-sorted={order === 'none' ? undefined : true}
          onClick={() => onSort(sortAfterClick(sort, name, list.defaultSort))}
          {...tip}
        >
          <span className={styles['label']}>{label}</span>
          {order === 'ascending' ? <Icon of={CaretUpOutlined} /> : <Icon of={CaretDownOutlined} />}
        </button>
      ) : (
        <span className={styles['label']} {...tip}>
          {label}
        </span>
      )}
      <HeadResizer width={width} onWidth={onWidth} />
    </th>
  );
}

interface RowProps extends Pick<RowsProps, 'list' | 'onOpen'> {
  readonly row: WireRow;
  readonly columns: readonly string[];
  readonly identity: string | undefined;
  /** Where the record's badges stand. */
  readonly headline: string | undefined;
  readonly place: number;
  readonly rowIndex: number;
  readonly hasCursor: boolean;
  readonly isOpen: boolean;
  readonly isMarked: boolean;
  readonly onMark: (id: number) => void;
  readonly onCursor: (cursor: number) => void;
}

const Row = memo(function Row(props: RowProps) {
  const {
    list,
    row,
    columns,
    identity,
    headline,
    place,
    rowIndex,
    hasCursor,
    isOpen,
    isMarked,
    onOpen,
    onCursor,
    onMark,
  } = props;
  return (
    <tr
      className={styles['row']}
      tabIndex={hasCursor ? 0 : -1}
      data-row={row.id}
      data-cursor={hasCursor || undefined}
      data-muted={isMuted(list, row) || undefined}
      aria-rowindex={rowIndex}
      aria-selected={isMarked}
      aria-current={isOpen || undefined}
      onFocus={() => onCursor(place)}
      onClick={({ target }) => {
        // Who marks text to copy it does not want the record, nor who marks the row.
        if (getSelection()?.isCollapsed !== false && !isOnBookmark(target)) onOpen(row.id);
      }}
    >
      <td className={styles['mark']}>
        <RowBookmark
          name={nameOfRow(list, row)}
          marked={isMarked}
          onToggle={() => onMark(row.id)}
        />
      </td>
      {columns.map((name) => {
        const field = fieldOf(list, name);
        const value =
          name === identity ? (
            <RecordLink list={list} row={row} field={field} name={name} />
          ) : (
            <Cell field={field} value={row[name]} />
          );
        return (
          <td key={name} data-kind={field.kind}>
            {name === headline ? <BadgedValue list={list} record={row} value={value} /> : value}
          </td>
        );
      })}
    </tr>
  );
});

/** Bars of different lengths, the same ones each time. */
function SkeletonRow({
  columns,
  place,
}: {
  readonly columns: readonly string[];
  readonly place: number;
}) {
  return (
    <tr aria-hidden className={styles['row']}>
      <td />
      {columns.map((name, column) => (
        <td key={name}>
          <span
            className={styles['bone']}
            style={{ width: `${45 + ((place * 7 + column * 13) % 45)}%` }}
          />
        </td>
      ))}
    </tr>
  );
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
