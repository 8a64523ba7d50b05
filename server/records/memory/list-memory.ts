/**
 * The fields of a list by which its records are counted, of all records, in memory: counts and pictures of a search come from here
 * without reading rows. About ten bytes a record and field; see docs/decisions/063.
 */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { isRiskField } from '../../platform/database/searched-relation.ts';
import { NumberColumn } from './number-column.ts';
import { RowSet } from './row-set.ts';
import { TextColumn } from './text-column.ts';
import { roomFor, type StoredWord, WordColumn } from './word-column.ts';

export type StoredValue = StoredWord | number;

/** Rows as they are read, a list of values for each field, in the order of `ids`. */
export interface ReadRows {
  readonly ids: readonly number[];
  /** False: withdrawn. */
  readonly listed: readonly boolean[];
  readonly fields: ReadonlyMap<string, readonly StoredValue[]>;
  /** By column. */
  readonly texts?: ReadTexts;
}

/** Folded texts as they are read, in the order of the rows' numbers. */
export type ReadTexts = ReadonlyMap<string, readonly (string | null)[]>;

/** The field that changes with the risk sources, without the record. */
export const riskFlag = 'exploited';

/** In a list over all lists: where the record stands. */
const listField = 'list';

/**
 * Facets, choices, flags and dates of a list. Not the highest EPSS and CVSS: they change for many records every day, and conditions on
 * them are rare.
 */
export function fieldsInMemory(list: ListDefinition): readonly string[] {
  return Object.keys(list.fields).filter((name) => {
    const { kind, stamped, joined } = fieldOf(list, name);
    if (isRestricted(list, name) || columnsOfField(list, name).sealed) return false;
    if (isRiskField(list, name)) return name === riskFlag;
    if (joined === true) return false;
    if (stamped !== undefined) return true;
    if (name === listField && list.viewOf !== undefined) return true;
    return list.facets.includes(name) || ['choice', 'flag', 'date'].includes(kind);
  });
}

const leastVersions = 50_000;
const maxStaleShare = 0.5;

export class ListMemory {
  readonly list: ListDefinition;
  readonly words: ReadonlyMap<string, WordColumn>;
  readonly numbers: ReadonlyMap<string, NumberColumn>;
  /** By column of the database: read when a search first asks for one. */
  readonly #texts = new Map<string, TextColumn>();
  readonly #readTexts = new Set<string>();
  /** Ascending. */
  #ids = new Float64Array(roomFor(0));
  #listed = new Uint8Array(roomFor(0));
  #rows = 0;
  #listedCount = 0;
  /** Made when it is asked for, until a row is written. */
  #listedRows: RowSet | null = null;

  constructor(list: ListDefinition) {
    this.list = list;
    const names = fieldsInMemory(list);
    const isNumber = (name: string) => columnsOfField(list, name).storage.type === 'bigint';
    this.numbers = new Map(names.filter(isNumber).map((name) => [name, new NumberColumn()]));
    this.words = new Map(
      names
        .filter((name) => !isNumber(name))
        .map((name) => [name, new WordColumn(columnsOfField(list, name).storage.several)]),
    );
  }

  /** Positions are smaller. */
  get rows(): number {
    return this.#rows;
  }

  /** By position: 1 unless the row is withdrawn. */
  get listed(): Uint8Array {
    return this.#listed;
  }

  /** A set of its own for the caller. */
  listedRows(): RowSet {
    this.#listedRows ??= RowSet.of(this.#listed, this.#rows);
    return this.#listedRows.copy();
  }

  get listedCount(): number {
    return this.#listedCount;
  }

  get ids(): Float64Array {
    return this.#ids.subarray(0, this.#rows);
  }

  get bytes(): number {
    const columns = [...this.words.values(), ...this.numbers.values(), ...this.#texts.values()];
    return columns.reduce(
      (sum, { bytes }) => sum + bytes,
      this.#ids.byteLength + this.#listed.byteLength,
    );
  }

  /** The columns of text that rows are written to, read whole or not yet. */
  get textColumns(): readonly string[] {
    return [...this.#texts.keys()];
  }

  /** The texts of all rows; undefined until they have been read. */
  textsOf(column: string): TextColumn | undefined {
    return this.#readTexts.has(column) ? this.#texts.get(column) : undefined;
  }

  /** From now on rows are written to this column too. */
  openTexts(column: string, inOrder: boolean): void {
    this.#texts.set(column, new TextColumn(inOrder));
  }

  /** Every row of the list has been written to the column. */
  completeTexts(column: string): void {
    if (this.#texts.has(column)) this.#readTexts.add(column);
  }

  dropTexts(column: string): void {
    this.#texts.delete(column);
    this.#readTexts.delete(column);
  }

  /** Of the row with this number; undefined when it is not here. */
  positionOf(id: number, rows = this.#rows): number | undefined {
    let low = 0;
    let high = rows - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.#ids[middle] ?? 0;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** Adds rows and replaces those of the same number. */
  write({ ids, listed, fields, texts }: ReadRows): void {
    const sortedRows = this.#rows;
    let isSorted = true;
    let newest = this.#ids[sortedRows - 1] ?? -1;
    // A row may be read twice within one batch: those past the sorted part are found by their number here.
    const added = new Map<number, number>();
    for (const [at, id] of ids.entries()) {
      const known = added.get(id) ?? this.positionOf(id, sortedRows);
      const isListed = listed[at] ?? false;
      if (known === undefined && !isListed) continue;
      const position = known ?? this.#append(id);
      if (known === undefined) {
        added.set(id, position);
        isSorted &&= id > newest;
        newest = Math.max(newest, id);
      }
      this.#list(position, isListed);
      this.#writeFields(position, at, fields);
      if (texts !== undefined) this.#writeTexts(position, at, texts);
    }
    if (!isSorted) this.#sort();
    this.#dropStaleTexts();
  }

  /** Of rows that are here, their texts. */
  writeTexts(ids: readonly number[], texts: ReadTexts): void {
    for (const [at, id] of ids.entries()) {
      const position = this.positionOf(id);
      if (position !== undefined) this.#writeTexts(position, at, texts);
    }
  }

  /** Of rows that are here, some fields. */
  writeFields(ids: readonly number[], fields: ReadRows['fields']): void {
    for (const [at, id] of ids.entries()) {
      const position = this.positionOf(id);
      if (position !== undefined) this.#writeFields(position, at, fields);
    }
  }

  /** The rows of the range, above the first number and up to the second, that are not among these numbers are no longer listed. */
  keepOnly(above: number, upTo: number, ids: ReadonlySet<number>): void {
    for (let position = 0; position < this.#rows; position += 1) {
      const id = this.#ids[position] ?? 0;
      if (id > above && id <= upTo && !ids.has(id)) this.#list(position, false);
    }
  }

  /** All values of a field of words that the listed rows have, in no order. */
  valuesOf(name: string): ReadonlySet<string> {
    const column = this.words.get(name);
    if (column === undefined) throw new Error(`${this.list.key} holds no words of ${name}`);
    const codes = new Uint8Array(column.distinct);
    for (let row = 0; row < this.#rows; row += 1)
      if (this.#listed[row] === 1) codes[column.codes[row] ?? 0] = 1;
    const found = new Set<string>();
    for (const [code, has] of codes.entries())
      if (has === 1) for (const element of column.elements(code)) found.add(String(element));
    return found;
  }

  /** The values of `of` that the listed rows have whose field `by` is `value`; both are fields of words. In no order. */
  valuesBeside(by: string, value: string, of: string): ReadonlySet<string> {
    const keys = this.words.get(by);
    const values = this.words.get(of);
    if (keys === undefined || values === undefined)
      throw new Error(`${this.list.key} holds no words of ${by} and ${of}`);
    const wanted = keys.codeFor(value);
    const codes = new Uint8Array(values.distinct);
    for (let row = 0; row < this.#rows; row += 1)
      if (this.#listed[row] === 1 && keys.codes[row] === wanted) codes[values.codes[row] ?? 0] = 1;
    const found = new Set<string>();
    for (const [code, has] of codes.entries())
      if (has === 1) for (const element of values.elements(code)) found.add(String(element));
    return found;
  }

  #append(id: number): number {
    const position = this.#rows;
    if (position >= this.#ids.length) {
      const ids = new Float64Array(roomFor(position));
      ids.set(this.#ids);
      this.#ids = ids;
      const listed = new Uint8Array(roomFor(position));
      listed.set(this.#listed);
      this.#listed = listed;
    }
    this.#ids[position] = id;
    this.#rows += 1;
    this.#listedRows = null;
    return position;
  }

  #list(position: number, isListed: boolean): void {
    const value = isListed ? 1 : 0;
    this.#listedCount += value - (this.#listed[position] ?? 0);
    this.#listed[position] = value;
    this.#listedRows = null;
  }

  #writeFields(position: number, at: number, fields: ReadRows['fields']): void {
    for (const [name, values] of fields) {
      const value = values[at] ?? null;
      const column = this.words.get(name);
      if (column !== undefined) column.set(position, value as StoredWord);
      else this.numbers.get(name)?.set(position, value as number | null);
    }
  }

  #writeTexts(position: number, at: number, texts: ReadTexts): void {
    for (const [column, values] of texts)
      this.#texts.get(column)?.write(position, values[at] ?? null);
  }

  /** A column of which most texts have been written again is read again when it is next asked for: that frees what the old ones take. */
  #dropStaleTexts(): void {
    for (const [column, texts] of this.#texts)
      if (texts.versions > leastVersions && texts.staleShare > maxStaleShare)
        this.dropTexts(column);
  }

  /** Transactions may commit in another order than that of their numbers. */
  #sort(): void {
    const ids = this.#ids;
    const order = Uint32Array.from({ length: this.#rows }, (_, position) => position).toSorted(
      (a, b) => (ids[a] ?? 0) - (ids[b] ?? 0),
    );
    const listed = this.#listed.slice();
    const sorted = ids.slice();
    for (const [position, from] of order.entries()) {
      sorted[position] = ids[from] ?? 0;
      listed[position] = this.#listed[from] ?? 0;
    }
    this.#ids = sorted;
    this.#listed = listed;
    this.#listedRows = null;
    const columns = [...this.words.values(), ...this.numbers.values(), ...this.#texts.values()];
    for (const column of columns) column.reorder(order);
  }
}
