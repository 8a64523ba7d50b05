/** Distributes the available width over the columns by their needs. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { headlineColumn, identityColumn } from './column-choice.ts';
import { columnNeeds } from './column-needs.ts';

export interface RoomForColumns {
  /** Table width in pixels without the checkbox column. */
  readonly available: number;
  /** Number of text lines in a row. */
  readonly lines: number;
  readonly rows: readonly WireRow[];
  /** Widths that the user dragged, which are kept. */
  readonly dragged: Readonly<Record<string, number>>;
}

/**
 * Returns one width for each column. Their sum is the available width, or more when the floors do not fit: then the table scrolls
 * sideways. Width above the floors goes to identity and title until they reach `min`, then to the title and the others until
 * they reach `min`, `full` and `roomy`, and finally to texts.
 */
export function columnWidths(
  list: ListDefinition,
  columns: readonly string[],
  { available, lines, rows, dragged }: RoomForColumns,
): number[] {
  const needs = columnNeeds(list, columns, rows, lines).map((need, index) => {
    const width = dragged[columns[index] ?? ''];
    return width === undefined ? need : { floor: width, min: width, full: width, roomy: width };
  });
  let widths = needs.map(({ floor }) => floor);
  const grow = (level: 'min' | 'full' | 'roomy', only: readonly (string | undefined)[]) => {
    const targets = needs.map((need, index) => (only.includes(columns[index]) ? need[level] : 0));
    widths = growWidths(widths, targets, available);
  };
  const headline = headlineColumn(list, columns);
  grow('min', [identityColumn(list, columns), headline]);
  for (const level of ['min', 'full', 'roomy'] as const) {
    grow(level, [headline]);
    grow(level, columns);
  }
  return padWidths(widths, findGrowing(list, columns, dragged), available);
}

/** Grows widths towards their targets, all by the same share of their distance if the available width does not suffice. */
function growWidths(
  widths: readonly number[],
  targets: readonly number[],
  available: number,
): number[] {
  const gaps = widths.map((width, index) => Math.max(0, (targets[index] ?? 0) - width));
  const wanted = sum(gaps);
  const share = wanted === 0 ? 0 : Math.min(1, Math.max(0, available - sum(widths)) / wanted);
  return widths.map((width, index) => width + (gaps[index] ?? 0) * share);
}

/** Selects the columns that take remaining width: texts, else columns that were not dragged, else all. */
function findGrowing(
  list: ListDefinition,
  columns: readonly string[],
  dragged: Readonly<Record<string, number>>,
): readonly boolean[] {
  const free = columns.map((name) => dragged[name] === undefined);
  const texts = columns.map(
    (name, index) => free[index] === true && ['text', 'prose'].includes(getField(list, name).kind),
  );
  return [texts, free].find((flags) => flags.includes(true)) ?? columns.map(() => true);
}

function padWidths(widths: readonly number[], grows: readonly boolean[], available: number) {
  const left = Math.max(0, available - sum(widths)) / grows.filter(Boolean).length;
  return widths.map((width, index) => width + (grows[index] === true ? left : 0));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
