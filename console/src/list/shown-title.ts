/** Shortens titles with repeated words that do not fit in their column. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { useMemo } from 'react';
import { labelFor } from '../values/value-view.tsx';
import { headlineColumn } from './column-choice.ts';
import { roomForText, titleExtrasWidth } from './content-widths.ts';
import { findRepeatedBeginnings, shortenTitle } from './repeated-beginning.ts';
import { textWidth } from './text-width.ts';

/** Returns the visible part of a title; undefined shows all of it. */
export type ShownTitle = (row: WireRow) => string | undefined;

interface ShownTable {
  readonly rows: readonly WireRow[] | undefined;
  /** Widths of the columns in pixels. */
  readonly widths: readonly number[];
  readonly lines: number;
}

const showAll: ShownTitle = () => undefined;

export function useShownTitle(
  list: ListDefinition,
  columns: readonly string[],
  { rows = noRows, widths, lines }: ShownTable,
): ShownTitle {
  const name = headlineColumn(list, columns);
  // Rounding must not shorten a title that fits exactly.
  const width = Math.ceil(name === undefined ? 0 : (widths[columns.indexOf(name)] ?? 0));
  return useMemo(() => {
    if (name === undefined) return showAll;
    const field = getField(list, name);
    const getTitle = (row: WireRow) => labelFor(field, String(row[name] ?? ''));
    const beginnings = findRepeatedBeginnings(rows.map(getTitle));
    return (row) =>
      shortenTitle(
        getTitle(row),
        beginnings,
        roomForText(width - titleExtrasWidth(list, row, columns), lines),
        textWidth,
      );
  }, [list, columns, name, rows, width, lines]);
}

const noRows: readonly WireRow[] = [];
