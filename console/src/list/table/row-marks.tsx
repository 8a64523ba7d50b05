/** Checkboxes that mark rows: one for each row, one in the heading for the page. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { isEmptyValue } from '../../values/value-view.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import styles from './row-marks.module.css';
import type { Selection } from './selected-rows.ts';

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
