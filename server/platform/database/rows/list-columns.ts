/** Maps the fields of a list to columns of its table. No other module maps field names to column names. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { orderFunction } from '@patch/catalogue/definition/natural-order.ts';
import { z } from 'zod';

type ColumnType = 'text' | 'bigint' | 'double precision' | 'boolean';

/** The storage of a kind's values. */
interface Storage {
  readonly type: ColumnType;
  /** Words have a second, folded column for comparisons. */
  readonly words: boolean;
  /** Words of any length are too long for an ordered index, and are sorted by their first characters. */
  readonly long: boolean;
  /** Several values are stored as one text with a line each. */
  readonly several: boolean;
}

const line: Storage = { type: 'text', words: true, long: false, several: false };
const lines: Storage = { type: 'text', words: true, long: true, several: true };
const integer: Storage = { type: 'bigint', words: false, long: false, several: false };

const storageOfKind: Record<FieldKind, Storage> = {
  text: line,
  identifier: line,
  link: line,
  choice: line,
  prose: { ...line, long: true },
  identifiers: lines,
  tags: lines,
  number: integer,
  decimal: { ...integer, type: 'double precision' },
  size: integer,
  date: integer,
  flag: { ...integer, type: 'boolean' },
};

/** Maximum bytes of a folded line. An ordered index allows 2,704 bytes per row, so that longer titles would break a sync. */
export const maxFoldedLineLength = 2000;
/** Number of characters by which long words are sorted. */
const orderedCharacters = 100;

export interface FieldColumns {
  readonly field: string;
  readonly kind: FieldKind;
  readonly storage: Storage;
  /** The column of the displayed value. */
  readonly column: string;
  /** The column of the folded words; null if the kind has none. */
  readonly folded: string | null;
  /** The column of a choice's index among the choices, -1 for an unknown word; null for other kinds. */
  readonly rank: string | null;
  /** The SQL that sorts the field: one of the columns above, or an expression over `sortedFrom`. */
  readonly sorted: string;
  readonly sortedFrom: string;
  /** Filled by the entry writer, not by the vendor. */
  readonly stamped: boolean;
  /** Joined when records are read (see searched-relation.ts), not stored in the record's row. */
  readonly joined: boolean;
  /** Masked for most callers, and not part of the keyword. */
  readonly restricted: boolean;
  /** `column` contains encrypted text, and the other columns are null. */
  readonly sealed: boolean;
}

/** Converts a name such as releaseDate to its column, release_date. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the columns of one field, or of `id`. */
export function columnsOfField(list: ListDefinition, name: string): FieldColumns {
  const { risk } = getField(list, name);
  return risk === undefined || list.viewOf !== undefined
    ? writtenColumns(list, name)
    : {
        ...writtenColumns(list, name),
        column: `risk_${risk}`,
        sorted: `risk_${risk}`,
        sortedFrom: `risk_${risk}`,
        joined: true,
      };
}

/** Returns the columns of a field in the record's row. */
function writtenColumns(list: ListDefinition, name: string): FieldColumns {
  const definition = getField(list, name);
  const { kind, stamped, sortedByNumber, restricted = false, sealed = false } = definition;
  const storage = storageOfKind[kind];
  const column = stamped === undefined ? columnName(name) : `${stamped}_time`;
  const folded = storage.words ? `${column}_folded` : null;
  const rank = kind === 'choice' ? `${column}_rank` : null;
  const sortedFrom = sortedByNumber === true ? `${column}_order` : (rank ?? folded ?? column);
  const compared = storage.long ? `left(${sortedFrom}, ${orderedCharacters})` : sortedFrom;
  const byNumbers = sortedByNumber === true ? null : orderFunction(definition);
  return {
    field: name,
    kind,
    storage,
    column,
    folded,
    rank,
    sorted: byNumbers === null ? compared : `${byNumbers}(${compared})`,
    sortedFrom,
    stamped: stamped !== undefined,
    joined: false,
    restricted,
    sealed,
  };
}

/** Caches the result of `build` per list. */
export function oncePerList<Result>(
  build: (list: ListDefinition) => Result,
): (list: ListDefinition) => Result {
  const built = new WeakMap<ListDefinition, Result>();
  return (list) => {
    const known = built.get(list) ?? build(list);
    built.set(list, known);
    return known;
  };
}

/** Returns the columns of all fields, in the order of the list's definition. */
export const columnsOfList = oncePerList((list): readonly FieldColumns[] =>
  Object.keys(list.fields).map((name) => columnsOfField(list, name)),
);

/** Returns true if the list has sealed fields, which only callers with the key can compare. */
export const hasSealedFields = (list: ListDefinition): boolean =>
  columnsOfList(list).some(({ sealed }) => sealed);

/** Opens the sealed values of a row in wire format. A value that was sealed with another key becomes null. */
export const openSealed = (
  list: ListDefinition,
  row: Readonly<Record<string, unknown>>,
  open: (sealed: string) => string | null,
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    columnsOfList(list)
      .filter(({ sealed }) => sealed)
      .map(({ field }) => [field, typeof row[field] === 'string' ? open(row[field]) : null]),
  );

/** Returns the columns of a record's row, without joined ones, in the order of the list's definition. */
export const tableColumnsOfList = oncePerList((list): readonly FieldColumns[] =>
  Object.entries(list.fields)
    .filter(
      ([, { risk, joined = false, alsoVendor = false }]) =>
        !joined && (risk === undefined || (alsoVendor && list.viewOf === undefined)),
    )
    .map(([name]) => writtenColumns(list, name)),
);

/** Returns the columns of a record's row that a feed writes. */
export const feedColumnsOfList = oncePerList((list): readonly FieldColumns[] =>
  tableColumnsOfList(list).filter(({ stamped }) => !stamped),
);

/** Returns the folded column of a field that a keyword is compared with; null for other fields. */
export const searchedColumn = ({
  folded,
  kind,
  restricted,
  sealed,
}: FieldColumns): string | null => (kind === 'link' || restricted || sealed ? null : folded);

/** Returns the columns that a keyword is compared with: those of the fields, and `keyword` with the other words of a record. */
export const searchedColumns = oncePerList((list): readonly string[] => [
  ...feedColumnsOfList(list).flatMap((each) => searchedColumn(each) ?? []),
  'keyword',
]);

/** Returns the SQL of all words that a keyword is compared with, a text of many lines. */
export const allWordsSql = (list: ListDefinition): string =>
  `concat_ws(E'\\n', ${searchedColumns(list)
    .map((column) => (column === 'keyword' ? "nullif(keyword, '')" : column))
    .join(', ')})`;

export const NaturalKeyRow = z.object({ id: z.number(), natural_key: z.string() });

type Cell = string | number | boolean | null;

const cellSchemas: Record<ColumnType, z.ZodType<Cell>> = {
  text: z.string().nullable(),
  bigint: z.number().nullable(),
  'double precision': z.number().nullable(),
  boolean: z.boolean().nullable(),
};

/** Returns the shape of `displayColumns(list)`; any column may be null. */
export function displayShape(list: ListDefinition): Record<string, z.ZodType<Cell>> {
  return Object.fromEntries(
    feedColumnsOfList(list).map(({ column, storage }) => [column, cellSchemas[storage.type]]),
  );
}
