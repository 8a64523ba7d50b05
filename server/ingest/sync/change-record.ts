/** A written change as the change log keeps it: for a changed record the fields that differ, with what they were and are. */
import type { DetailTables, ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { RunChange } from '@patch/contract/run-endpoints.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { WrittenChange } from '../../platform/database/entry-writer.ts';

const maxShownLength = 500;

export function changeRecord(list: ListDefinition, change: WrittenChange): Omit<RunChange, 'id'> {
  const { rowId, identity, kind, was, is } = change;
  const fields =
    was === undefined || is === undefined
      ? {}
      : {
          ...difference(was.row, is.row, {}),
          ...difference(was.detail, is.detail, list.detail.tables),
        };
  return { list: list.key, rowId, identity, kind, fields };
}

type Values = Readonly<Record<string, unknown>>;

function difference(was: Values, is: Values, tables: DetailTables): RunChange['fields'] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const differing = names.filter(
    (name) => contentHash({ value: was[name] }, {}) !== contentHash({ value: is[name] }, {}),
  );
  return Object.fromEntries(
    differing.map((name) => [
      name,
      Object.hasOwn(tables, name)
        ? tableDifference(was[name], is[name])
        : { was: shown(was[name]), is: shown(is[name]) },
    ]),
  );
}

/** Tables are told by their size: a kernel erratum has thousands of packages. */
function tableDifference(was: unknown, is: unknown): { was: string; is: string } {
  const before = rowsOf(was);
  const after = rowsOf(is);
  return {
    was: `${before} rows`,
    is: before === after ? `${after} rows, not the same` : `${after} rows`,
  };
}

const rowsOf = (table: unknown) => (Array.isArray(table) ? table.length : 0);

function shown(value: unknown): unknown {
  return typeof value === 'string' && value.length > maxShownLength
    ? `${value.slice(0, maxShownLength).toWellFormed()}…`
    : (value ?? null);
}
