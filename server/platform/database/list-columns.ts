/** Where each field of a list lies in its table: the one place where field names become column names. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { orderFunction } from '@patch/catalogue/definition/natural-order.ts';

export type ColumnType = 'text' | 'bigint' | 'double precision' | 'boolean';

/** How the values of a kind are kept. */
interface Storage {
  readonly type: ColumnType;
  /** Words are compared in a second column that holds them folded. */
  readonly words: boolean;
  /** Words of any length: too long for an ordered index, so they are sorted by their first characters. */
  readonly long: boolean;
  /** Several values, kept as one text with a line each. */
  readonly several: boolean;
}

const line: Storage = { type: 'text', words: true, long: false, several: false };
const lines: Storage = { type: 'text', words: true, long: true, several: true };
const wholeNumber: Storage = { type: 'bigint', words: false, long: false, several: false };

export const storageOfKind: Record<FieldKind, Storage> = {
  text: line,
  identifier: line,
  link: line,
  choice: line,
  prose: { ...line, long: true },
  identifiers: lines,
  tags: lines,
  number: wholeNumber,
  decimal: { ...wholeNumber, type: 'double precision' },
  size: wholeNumber,
  date: wholeNumber,
  flag: { ...wholeNumber, type: 'boolean' },
};

/** An ordered index takes 2,704 bytes a row; a folded line is cut to this many, so that no vendor's title can break a sync. */
export const maxFoldedLineLength = 2000;
/** Characters of long words that decide their order. */
const orderedCharacters = 100;

export interface FieldColumns {
  readonly field: string;
  readonly kind: FieldKind;
  readonly storage: Storage;
  /** The value as it is shown. */
  readonly column: string;
  /** The words folded; null when the kind is not words. */
  readonly folded: string | null;
  /** A choice's place among the field's choices, -1 for a word that is not among them; null for other kinds. */
  readonly rank: string | null;
  /** The SQL that orders the field: one of the above, or an expression over `sortedFrom`. */
  readonly sorted: string;
  readonly sortedFrom: string;
  /** Filled by the entry writer, not by the vendor. */
  readonly stamped: boolean;
  /** Joined when records are read (see searched-relation.ts): no column of the list's table. */
  readonly joined: boolean;
  /** Masked for most callers; no part of the keyword. */
  readonly restricted: boolean;
  /** `column` holds encrypted text, and the other columns hold nothing. */
  readonly sealed: boolean;
}

/** releaseDate on the wire is release_date in the database. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns of one field; of `id` too. */
export function columnsOfField(list: ListDefinition, name: string): FieldColumns {
  const { risk } = fieldOf(list, name);
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

/** The columns in which the list's table keeps a field, whatever is joined beside them. */
function writtenColumns(list: ListDefinition, name: string): FieldColumns {
  const definition = fieldOf(list, name);
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

const known = new WeakMap<ListDefinition, readonly FieldColumns[]>();

/** The columns of all fields, in the order in which the list declares them. */
export function columnsOfList(list: ListDefinition): readonly FieldColumns[] {
  const kept =
    known.get(list) ?? Object.keys(list.fields).map((name) => columnsOfField(list, name));
  known.set(list, kept);
  return kept;
}

/** Sealed values can be compared only by who opens them. */
export const hasSealedFields = (list: ListDefinition): boolean =>
  columnsOfList(list).some(({ sealed }) => sealed);

const written = new WeakMap<ListDefinition, readonly FieldColumns[]>();

/** The columns of the list's own table, in the order in which the list declares their fields: without what is joined. */
export function tableColumnsOfList(list: ListDefinition): readonly FieldColumns[] {
  const kept =
    written.get(list) ??
    Object.entries(list.fields)
      .filter(
        ([, { risk, joined = false, alsoVendor = false }]) =>
          !joined && (risk === undefined || (alsoVendor && list.viewOf === undefined)),
      )
      .map(([name]) => writtenColumns(list, name));
  written.set(list, kept);
  return kept;
}

/** Those of them that a feed writes. */
export function feedColumnsOfList(list: ListDefinition): readonly FieldColumns[] {
  return tableColumnsOfList(list).filter(({ stamped }) => !stamped);
}
