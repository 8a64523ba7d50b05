/** The rows of a table that is read rather than scanned: under what they are headed by, and what of a row is its text. */
import type { DetailTable } from '@patch/catalogue/definition/list-definition.ts';
import { isEmptyValue } from '../values/value-view.tsx';
import type { TableRow } from './table-rows.ts';

export interface EntryLayout {
  /** The field that heads the rows; null where none can. */
  readonly heading: string | null;
  /** The field whose text is read. */
  readonly body: string;
  readonly others: readonly string[];
}

/** Null for a table of short values: a grid shows those better. */
export function entryLayout(table: DetailTable, rows: readonly TableRow[]): EntryLayout | null {
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
  /** Null for rows that nothing heads. */
  readonly heading: string | null;
  readonly rows: readonly TableRow[];
}

/** In the order of their first rows. */
export function entryGroups(
  rows: readonly TableRow[],
  { heading }: EntryLayout,
): readonly EntryGroup[] {
  const groups = Map.groupBy(rows, (row) => {
    const value = heading === null ? null : row[heading];
    return typeof value === 'string' && value !== '' ? value : null;
  });
  return [...groups].map(([name, ofName]) => ({ heading: name, rows: ofName }));
}
