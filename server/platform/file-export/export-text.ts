/** Writes rows as the text of a file: CSV with column labels, JSON with field names and exact values. */
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import type { ExportFormat } from '@patch/contract/records/export-endpoints.ts';
import { csvLines } from './csv-lines.ts';

export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

type Pages = AsyncIterable<readonly WireRow[]>;

export function exportText(
  format: ExportFormat,
  list: ListDefinition,
  columns: readonly string[],
  pages: Pages,
): AsyncGenerator<string> {
  return format === 'csv' ? csvText(list, columns, pages) : jsonText(list, columns, pages);
}

/** Spreadsheets recognise UTF-8 by this mark. */
const byteOrderMark = '\uFEFF';

async function* csvText(
  list: ListDefinition,
  columns: readonly string[],
  pages: Pages,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLines([columns.map((name) => getField(list, name).label)]);
  for await (const rows of pages)
    yield csvLines(rows.map((row) => columns.map((name) => csvCell(list, name, row[name]))));
}

function csvCell(list: ListDefinition, name: string, value: unknown): string | number {
  if (value === null || value === undefined) return '';
  const field = getField(list, name);
  if (field.kind === 'date') return isoDate(field, value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value;
  return Array.isArray(value) ? value.join('; ') : (value as string);
}

/** Writes an array of objects, one row per line. */
async function* jsonText(
  list: ListDefinition,
  columns: readonly string[],
  pages: Pages,
): AsyncGenerator<string> {
  let before = '[\n';
  for await (const rows of pages) {
    yield before + rows.map((row) => JSON.stringify(pickColumns(list, columns, row))).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function pickColumns(
  list: ListDefinition,
  columns: readonly string[],
  row: WireRow,
): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((name) => {
      const value = row[name] ?? null;
      const field = getField(list, name);
      return [name, value !== null && field.kind === 'date' ? isoDate(field, value) : value];
    }),
  );
}

/** Returns a date without a time when the field's precision is a day. */
function isoDate({ precision }: Pick<Field, 'precision'>, value: unknown): string {
  const instant = new Date(Number(value)).toISOString();
  return precision === 'day' ? instant.slice(0, instant.indexOf('T')) : instant;
}
