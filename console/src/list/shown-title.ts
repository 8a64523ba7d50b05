/** Shortens titles with repeated words that do not fit in their column. */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { useMemo } from 'react';
import { labelFor } from '../values/value-view.tsx';
import { headlineColumn } from './column-choice.ts';
import { besideTitleWidth, roomForText } from './content-widths.ts';
import { repeatedBeginnings, shortenedTitle } from './repeated-beginning.ts';
import { textWidth } from './text-width.ts';

/** Returns the visible part of a title; undefined shows all of it. */
export type ShownTitle = (row: WireRow) => string | undefined;

interface TableShown {
  readonly rows: readonly WireRow[] | undefined;
  /** Widths of the columns in pixels. */
  readonly widths: readonly number[];
  readonly lines: number;
}

const whole: ShownTitle = () => undefined;

export function useShownTitle(
  list: ListDefinition,
  columns: readonly string[],
  { rows = none, widths, lines }: TableShown,
): ShownTitle {
  const name = headlineColumn(list, columns);
  // Rounding must not shorten a title that fits exactly.
  const width = Math.ceil(name === undefined ? 0 : (widths[columns.indexOf(name)] ?? 0));
  return useMemo(() => {
    if (name === undefined) return whole;
    const field = fieldOf(list, name);
    const titleOf = (row: WireRow) => labelFor(field, String(row[name] ?? ''));
    const beginnings = repeatedBeginnings(rows.map(titleOf));
    return (row) =>
      shortenedTitle(
        titleOf(row),
        beginnings,
        roomForText(width - besideTitleWidth(list, row, columns), lines),
        textWidth,
      );
  }, [list, columns, name, rows, width, lines]);
}

const none: readonly WireRow[] = [];
