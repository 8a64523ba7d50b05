/** Rows that the user has marked on all pages of a search, their checkboxes and their toolbar. */
import { CloseOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { type ReactNode, useState } from 'react';
import { isEmptyValue } from '../../values/value-view.tsx';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import styles from './row-selection.module.css';

/** In the order of marking. */
export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** True when all matching rows are marked, including those of other pages. */
  readonly allMatching: boolean;
  readonly toggle: (id: number) => void;
  /** Marks all of the rows, or unmarks them when all are marked. */
  readonly togglePage: (ids: readonly number[]) => void;
  readonly markAllMatching: () => void;
  readonly clear: () => void;
}

const noIds: ReadonlySet<number> = new Set();

/**
 * Adds marks and drops the oldest beyond the limit.
 * @param cap - Maximum number of marks; 0 for no limit.
 */
export function addMarks(
  before: ReadonlySet<number>,
  ids: readonly number[],
  cap: number,
): ReadonlySet<number> {
  const all = [...new Set([...before, ...ids])];
  return new Set(cap > 0 ? all.slice(-cap) : all);
}

export function removeMarks(
  before: ReadonlySet<number>,
  ids: readonly number[],
): ReadonlySet<number> {
  return new Set([...before].filter((id) => !ids.includes(id)));
}

/** @param search - Key of the search. A new search clears the marks. */
export function useSelectedRows(search: string, maxAllowedSelection = 0): Selection {
  const [marks, setMarks] = useState({ search, ids: noIds, allMatching: false });
  const { ids, allMatching } = marks.search === search ? marks : { ids: noIds, allMatching: false };
  const update = (next: ReadonlySet<number>, all = false) =>
    setMarks({ search, ids: next, allMatching: all });
  return {
    ids,
    allMatching,
    toggle: (id) =>
      update(ids.has(id) ? removeMarks(ids, [id]) : addMarks(ids, [id], maxAllowedSelection)),
    togglePage: (page) =>
      update(
        page.every((id) => ids.has(id))
          ? removeMarks(ids, page)
          : addMarks(ids, page, maxAllowedSelection),
      ),
    markAllMatching: () => update(ids, true),
    clear: () => update(noIds),
  };
}

/** Returns the identity of the row. */
export function getRowName(list: ListDefinition, row: WireRow): string {
  const name = list.identity.map((field) => row[field]).find((value) => !isEmptyValue(value));
  return name === undefined ? `record ${row.id}` : String(name);
}

interface RowMarkProps {
  readonly name: string;
  readonly marked: boolean;
  readonly onToggle: () => void;
}

/** A click on it does not open the row: see `isOnBookmark`. */
export function RowBookmark({ name, marked, onToggle }: RowMarkProps) {
  return (
    <span className={styles['mark']} data-mark>
      <CheckBox checked={marked} tabIndex={-1} aria-label={`Select ${name}`} onChange={onToggle} />
    </span>
  );
}

export function PageBookmark({
  rows = [],
  selection,
}: {
  readonly rows: readonly WireRow[] | undefined;
  readonly selection: Selection;
}) {
  const { ids, allMatching } = selection;
  const markedCount = rows.filter(({ id }) => allMatching || ids.has(id)).length;
  const all = rows.length > 0 && markedCount === rows.length;
  return (
    <span className={styles['mark']}>
      <CheckBox
        checked={all}
        indeterminate={markedCount > 0 && !all}
        disabled={rows.length === 0}
        aria-label="Select all rows of the page"
        onChange={() =>
          allMatching ? selection.clear() : selection.togglePage(rows.map(({ id }) => id))
        }
      />
    </span>
  );
}

/** Tells whether a click was on a checkbox rather than on its row. */
export const isOnBookmark = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-mark]') !== null;

interface SelectionBarProps {
  readonly selection: Selection;
  readonly totalCount: number;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** Toolbar of the marked rows, shown while any are marked. */
export function SelectionBar({ selection, totalCount, children }: SelectionBarProps) {
  const { ids, allMatching } = selection;
  const markedCount = allMatching ? totalCount : ids.size;
  if (markedCount === 0) return null;
  return (
    <div role="toolbar" aria-label="Selected rows" className={styles['bar']}>
      <strong aria-live="polite" className="figures">
        {formatNumber(markedCount)} selected
      </strong>
      {allMatching || ids.size >= totalCount ? null : (
        <Button look="link" small onClick={selection.markAllMatching}>
          Select all {formatNumber(totalCount)} matching
        </Button>
      )}
      {children}
      <Button look="quiet" small icon={<Icon of={CloseOutlined} />} onClick={selection.clear}>
        Clear
      </Button>
    </div>
  );
}
