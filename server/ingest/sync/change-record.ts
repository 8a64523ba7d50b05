/** Converts a written change to its form in the change log, with the old and new values of different fields. */
import type { DetailTables, ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { RunChange } from '@patch/contract/run-endpoints.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { WrittenChange } from '../../platform/database/entry-writer.ts';

const maxShownLength = 500;

export function toRunChange(list: ListDefinition, change: WrittenChange): Omit<RunChange, 'id'> {
  const { rowId, identity, kind, was, is } = change;
  const fields =
    was === undefined || is === undefined
      ? {}
      : {
          ...compareValues(was.row, is.row, {}),
          ...compareValues(was.detail, is.detail, list.detail.tables),
        };
  return { list: list.key, rowId, identity, kind, fields };
}

type Values = Readonly<Record<string, unknown>>;

function compareValues(was: Values, is: Values, tables: DetailTables): RunChange['fields'] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const differing = names.filter(
    (name) =>
      was[name] !== is[name] &&
      contentHash({ value: was[name] }, {}) !== contentHash({ value: is[name] }, {}),
  );
  return Object.fromEntries(
    differing.map((name) => [
      name,
      Object.hasOwn(tables, name)
        ? compareTables(was[name], is[name])
        : { was: truncateValue(was[name]), is: truncateValue(is[name]) },
    ]),
  );
}

/** Describes tables by their row counts, because an erratum of a kernel has thousands of packages. */
function compareTables(was: unknown, is: unknown): { was: string; is: string } {
  const before = countRows(was);
  const after = countRows(is);
  return {
    was: `${before} rows`,
    is: before === after ? `${after} rows, not the same` : `${after} rows`,
  };
}

const countRows = (table: unknown) => (Array.isArray(table) ? table.length : 0);

function truncateValue(value: unknown): unknown {
  return typeof value === 'string' && value.length > maxShownLength
    ? `${value.slice(0, maxShownLength).toWellFormed()}…`
    : (value ?? null);
}
