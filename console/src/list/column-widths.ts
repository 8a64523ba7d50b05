/** How wide each column is: the room of a screen shared out by what the columns need for the rows that are shown. */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { headlineColumn, identityColumn } from './column-choice.ts';
import { columnNeeds } from './column-needs.ts';

export interface RoomForColumns {
  /** Of the table, without the column of checkboxes. */
  readonly available: number;
  /** Of a row, that texts may take. */
  readonly lines: number;
  readonly rows: readonly WireRow[];
  /** Widths that were dragged, which hold. */
  readonly dragged: Readonly<Record<string, number>>;
}

/**
 * One width for each column. Their sum is what is available, or more when not even the floors fit: then the table scrolls
 * sideways. What is left above the floors goes to the names of the records, to the titles, then to the others until each has its
 * least; then to the titles until none is cut, then to the others until they are not, then in the same order to air, and at last
 * to texts.
 */
export function columnWidths(
  list: ListDefinition,
  columns: readonly string[],
  { available, lines, rows, dragged }: RoomForColumns,
): number[] {
  const needs = columnNeeds(list, columns, rows, lines).map((need, place) => {
    const width = dragged[columns[place] ?? ''];
    return width === undefined ? need : { floor: width, least: width, whole: width, roomy: width };
  });
  let widths = needs.map(({ floor }) => floor);
  const grow = (level: 'least' | 'whole' | 'roomy', only: readonly (string | undefined)[]) => {
    const targets = needs.map((need, place) => (only.includes(columns[place]) ? need[level] : 0));
    widths = grown(widths, targets, available);
  };
  const headline = headlineColumn(list, columns);
  grow('least', [identityColumn(list, columns), headline]);
  for (const level of ['least', 'whole', 'roomy'] as const) {
    grow(level, [headline]);
    grow(level, columns);
  }
  return padded(widths, growing(list, columns, dragged), available);
}

/** The widths, brought nearer to their targets by what is left: all the way, or each by the same share of its way. */
function grown(widths: readonly number[], targets: readonly number[], available: number): number[] {
  const gaps = widths.map((width, place) => Math.max(0, (targets[place] ?? 0) - width));
  const wanted = sum(gaps);
  const share = wanted === 0 ? 0 : Math.min(1, Math.max(0, available - sum(widths)) / wanted);
  return widths.map((width, place) => width + (gaps[place] ?? 0) * share);
}

/** Texts take what nothing needs; where there is none, every column that was not dragged; where all were, all of them. */
function growing(
  list: ListDefinition,
  columns: readonly string[],
  dragged: Readonly<Record<string, number>>,
): readonly boolean[] {
  const free = columns.map((name) => dragged[name] === undefined);
  const texts = columns.map(
    (name, place) => free[place] === true && ['text', 'prose'].includes(fieldOf(list, name).kind),
  );
  return [texts, free].find((some) => some.includes(true)) ?? columns.map(() => true);
}

function padded(widths: readonly number[], grows: readonly boolean[], available: number) {
  const left = Math.max(0, available - sum(widths)) / grows.filter(Boolean).length;
  return widths.map((width, place) => width + (grows[place] === true ? left : 0));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
