/** Groups rows of a table with long texts below headings. */
import type { DetailTable } from '@patch/catalogue/definition/list-definition.ts';
import { isEmptyValue } from '../values/value-view.tsx';
import type { TableRow } from './table-rows.ts';

export interface EntryLayout {
  /** Field with the heading; null without a suitable field. */
  readonly heading: string | null;
  /** Field with the long text. */
  readonly body: string;
  readonly others: readonly string[];
}

/** Returns null for a table of short values, which is shown as a grid. */
export function findEntryLayout(table: DetailTable, rows: readonly TableRow[]): EntryLayout | null {
  const filled = Object.entries(table.fields).filter(([name]) =>
    rows.some((row) => !isEmptyValue(row[name])),
  );
  const body = filled.find(([, { kind }]) => kind === 'prose')?.[0];
  if (body === undefined) return null;
  const heading =
    filled.find(
      ([, { kind }]) => kind === 'text' || kind === 'choice' || kind === 'identifier',
    )?.[0] ?? null;
  return {
    heading,
    body,
    others: filled.map(([name]) => name).filter((name) => name !== body && name !== heading),
  };
}

export interface EntryGroup {
  /** Null for rows without a heading. */
  readonly heading: string | null;
  readonly rows: readonly TableRow[];
}

/** Returns groups in the order of their first rows. */
export function groupEntries(
  rows: readonly TableRow[],
  { heading }: EntryLayout,
): readonly EntryGroup[] {
  const groups = Map.groupBy(rows, (row) => {
    const value = heading === null ? null : row[heading];
    return typeof value === 'string' && value !== '' ? value : null;
  });
  return [...groups].map(([name, groupRows]) => ({ heading: name, rows: groupRows }));
}
