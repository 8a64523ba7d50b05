/** Table of rows with sticky headings that sort and resize. */

import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons-svg';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { isSortable } from '@patch/catalogue/definition/restricted-fields.ts';
import { getSortLabel } from '@patch/catalogue/definition/sort-fields.ts';
import { leastColumnWidth } from '@patch/contract/operations/preference-endpoints.ts';
import { type PointerEvent, type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { sizes } from '../../theme/tokens.ts';
import { Icon } from '../../widgets/icon.tsx';
import type { ColumnChoice } from '../columns/column-choice.ts';
import { columnWidths } from '../columns/column-widths.ts';
import { createShownTitle } from '../columns/short-title.ts';
import { nextSort, toAriaSort } from '../columns/sort-order.ts';
import { type RowsProps, TableRows } from './list-rows.tsx';
import styles from './list-table.module.css';
import { PageBookmark } from './row-selection.tsx';

interface ListTableProps extends RowsProps {
  readonly choice: ColumnChoice;
  /** Chosen columns with the sorted one. */
  readonly columns: readonly string[];
  readonly sort: string;
  readonly totalCount: number | undefined;
  /** Number of rows on previous pages. */
  readonly offset: number;
  readonly skeletonRows: number;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onSort: (sort: string) => void;
  readonly onCursor: (cursor: number) => void;
}

/** Maximum text lines in a row. */
const linesByDensity: Readonly<Record<ColumnChoice['density'], number>> = {
  comfortable: 2,
  dense: 1,
};

export function ListTable(props: ListTableProps) {
  const { list, choice, columns, rows, sort, scroller } = props;
  const available = useWidth(scroller) - sizes.markColumn;
  const lines = linesByDensity[choice.density];
  const { widths: dragged } = choice;
  const widths = useMemo(
    () => columnWidths(list, columns, { available, lines, rows: rows ?? [], dragged }),
    [list, columns, available, lines, rows, dragged],
  );
  const tableWidth = widths.reduce((total, width) => total + width, sizes.markColumn);
  const shownTitle = useMemo(() => createShownTitle(list, columns, sort), [list, columns, sort]);
  return (
    <div
      ref={scroller}
      className={styles['scroller']}
      data-scroll-restoration-id={`rows of ${list.key}`}
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- rows are focused and marked by keys: a grid made of table elements
        role="grid"
        aria-label={list.label}
        aria-busy={rows === undefined || props.stale}
        aria-rowcount={props.totalCount === undefined ? -1 : props.totalCount + 1}
        className={styles['table']}
        data-density={choice.density}
        data-lines={lines}
        data-scrolls={tableWidth > available + sizes.markColumn + 1 || undefined}
        style={{ width: tableWidth }}
      >
        <colgroup>
          <col style={{ width: sizes.markColumn }} />
          {columns.map((name, index) => (
            <col key={name} style={{ width: widths[index] }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles['head']}>
              <PageBookmark rows={rows} selection={props.selection} />
            </th>
            {columns.map((name, index) => (
              <Head
                key={name}
                {...props}
                name={name}
                width={widths[index] ?? 0}
                onWidth={(width) => choice.setWidth(name, width)}
              />
            ))}
          </tr>
        </thead>
        <TableRows {...props} shownTitle={shownTitle} density={choice.density} />
      </table>
      <span className="visually-hidden" aria-live="polite">
        {sort === list.defaultSort ? '' : `Sorted by ${getSortLabel(list, sort)}`}
      </span>
    </div>
  );
}

function Head({
  list,
  choice,
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
  const { label, help } = getField(list, name);
  const order = toAriaSort(sort, name);
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
          onClick={() => onSort(nextSort(sort, name, choice.sort))}
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

/** Draggable edge of a column heading. Reports the width when it is released. */
export function HeadResizer({
  width,
  onWidth,
}: {
  readonly width: number;
  readonly onWidth: (width: number) => void;
}) {
  const [from, setFrom] = useState<{ readonly x: number; readonly width: number }>();
  const [at, setAt] = useState(0);
  const widthAt = (x: number) =>
    from === undefined ? width : Math.max(leastColumnWidth, from.width + x - from.x);
  return (
    <span
      aria-hidden
      className={styles['resizer']}
      data-dragging={from !== undefined || undefined}
      style={from === undefined ? {} : { right: `${width - widthAt(at)}px` }}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom({ x: event.clientX, width });
        setAt(event.clientX);
      }}
      onPointerMove={(event) => from !== undefined && setAt(event.clientX)}
      onPointerUp={(event) => {
        if (from !== undefined && event.clientX !== from.x) onWidth(widthAt(event.clientX));
        setFrom(undefined);
      }}
      onPointerCancel={() => setFrom(undefined)}
    />
  );
}
