/**
 * The values of the facets, choices, flags and dates of all records of a list, in memory. Searches and summaries evaluate them without
 * reading rows. A value takes about ten bytes; see docs/decisions/063.
 */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import { columnsOfField, oncePerList } from '../../platform/database/rows/list-columns.ts';
import { updateColumn } from '../../platform/database/rows/update-key.ts';
import { isRiskField } from '../../platform/database/searched-relation.ts';
import { getNameColumns } from '../criteria/keyword-parts.ts';
import { NameColumn } from './name-column.ts';
import { NumberColumn } from './number-column.ts';
import { RowSet } from './row-set.ts';
import { TextColumn } from './text-column.ts';
import { getCapacity, grow, type StoredWord, WordColumn } from './word-column.ts';

export type StoredValue = StoredWord | number;

/** A batch of rows: an array of values for each field, in the order of `ids`. */
export interface ReadRows {
  readonly ids: readonly number[];
  /** False for withdrawn rows. */
  readonly listed: readonly boolean[];
  readonly fields: ReadonlyMap<string, readonly StoredValue[]>;
  /** Folded names by column. */
  readonly names: ReadTexts;
  /** Texts by column. */
  readonly texts?: ReadTexts;
}

/** Folded texts by column, each in the order of the ids of the batch. */
export type ReadTexts = ReadonlyMap<string, readonly (string | null)[]>;

/** The field of the list of all patches that has the key of the original list. */
const listField = 'list';

/**
 * Returns the facets, choices, flags and dates of a list. Omits the highest EPSS and CVSS, because they change daily for many records
 * and conditions on them are rare.
 */
export const fieldsInMemory = oncePerList((list): readonly string[] =>
  Object.keys(list.fields).filter((name) => {
    const { kind, risk, stamped } = getField(list, name);
    if (isRestricted(list, name) || columnsOfField(list, name).sealed) return false;
    if (isRiskField(list, name)) return risk !== undefined && ['choice', 'flag'].includes(kind);
    if (stamped !== undefined) return true;
    if (name === listField && list.viewOf !== undefined) return true;
    return list.facets.includes(name) || ['choice', 'flag', 'date'].includes(kind);
  }),
);

const minVersions = 50_000;
const maxStaleShare = 0.5;

export class ListMemory {
  readonly list: ListDefinition;
  readonly words: ReadonlyMap<string, WordColumn>;
  readonly numbers: ReadonlyMap<string, NumberColumn>;
  /** By column of the database. */
  readonly names: ReadonlyMap<string, NameColumn>;
  /** The folded name of each row's update; null for a list whose records are updates by themselves. */
  readonly updates: WordColumn | null;
  readonly #updateColumn: string | null;
  /** Texts by column of the database. A column is loaded with the first search that compares it. */
  readonly #texts = new Map<string, TextColumn>();
  readonly #readTexts = new Set<string>();
  /** Ascending, by position. */
  #ids = new Float64Array(getCapacity(0));
  #listed = new Uint8Array(getCapacity(0));
  #rows = 0;
  #listedCount = 0;
  /** Cached until a row is written. */
  #listedRows: RowSet | null = null;

  constructor(list: ListDefinition) {
    this.list = list;
    const names = fieldsInMemory(list);
    const isNumber = (name: string) => columnsOfField(list, name).storage.type === 'bigint';
    this.names = new Map(getNameColumns(list).map((column) => [column, new NameColumn()]));
    const column = updateColumn(list);
    this.#updateColumn = column !== null && this.names.has(column) ? column : null;
    this.updates = this.#updateColumn === null ? null : new WordColumn(false);
    const ordered = list.defaultSort.replace(/^-/, '');
    this.numbers = new Map(
      names.filter(isNumber).map((name) => [name, new NumberColumn(name === ordered)]),
    );
    this.words = new Map(
      names
        .filter((name) => !isNumber(name))
        .map((name) => [name, new WordColumn(columnsOfField(list, name).storage.several)]),
    );
  }

  /** Count of rows, including withdrawn ones. Every position is smaller. */
  get rows(): number {
    return this.#rows;
  }

  /** 0 for withdrawn rows and 1 for others, by position. */
  get listed(): Uint8Array {
    return this.#listed;
  }

  /** Returns a new set, which the caller may change. */
  listedRows(): RowSet {
    this.#listedRows ??= RowSet.fromBytes(this.#listed, this.#rows);
    return this.#listedRows.copy();
  }

  get listedCount(): number {
    return this.#listedCount;
  }

  get ids(): Float64Array {
    return this.#ids.subarray(0, this.#rows);
  }

  get bytes(): number {
    const columns = this.#columns();
    return columns.reduce(
      (sum, { bytes }) => sum + bytes,
      this.#ids.byteLength + this.#listed.byteLength,
    );
  }

  /** Text columns that are loaded or loading. */
  get textColumns(): readonly string[] {
    return [...this.#texts.keys()];
  }

  /** Returns a text column, or undefined until it is loaded. */
  getTexts(column: string): TextColumn | undefined {
    return this.#readTexts.has(column) ? this.#texts.get(column) : undefined;
  }

  /** Adds an empty text column, to which further rows are written. */
  openTexts(column: string, inOrder: boolean): void {
    this.#texts.set(column, new TextColumn(inOrder));
  }

  /** Marks a text column as loaded. */
  completeTexts(column: string): void {
    if (this.#texts.has(column)) this.#readTexts.add(column);
  }

  dropTexts(column: string): void {
    this.#texts.delete(column);
    this.#readTexts.delete(column);
  }

  /** Returns the position of the row with this id, or undefined. */
  findPosition(id: number, rows = this.#rows): number | undefined {
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

  /** Adds rows, and replaces rows with the same id. */
  write({ ids, listed, fields, names, texts }: ReadRows): void {
    const sortedRows = this.#rows;
    let isSorted = true;
    let newest = this.#ids[sortedRows - 1] ?? -1;
    // Positions of new rows, which are not sorted yet. A batch can contain a row twice.
    const added = new Map<number, number>();
    for (const [at, id] of ids.entries()) {
      const known = added.get(id) ?? this.findPosition(id, sortedRows);
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
      for (const [column, values] of names) {
        this.names.get(column)?.set(position, values[at] ?? null);
        if (column === this.#updateColumn) this.updates?.set(position, values[at] ?? null);
      }
      if (texts !== undefined) this.#writeTexts(position, at, texts);
    }
    if (!isSorted) this.#sort();
    this.#dropStaleTexts();
  }

  /** Replaces the texts of existing rows. */
  writeTexts(ids: readonly number[], texts: ReadTexts): void {
    for (const [at, id] of ids.entries()) {
      const position = this.findPosition(id);
      if (position !== undefined) this.#writeTexts(position, at, texts);
    }
  }

  /** Replaces some fields of existing rows. */
  writeFields(ids: readonly number[], fields: ReadRows['fields']): void {
    for (const [at, id] of ids.entries()) {
      const position = this.findPosition(id);
      if (position !== undefined) this.#writeFields(position, at, fields);
    }
  }

  /** Marks rows as withdrawn whose id is above `above`, up to `upTo`, and not in `ids`. */
  unlistOthers(above: number, upTo: number, ids: ReadonlySet<number>): void {
    for (let position = 0; position < this.#rows; position += 1) {
      const id = this.#ids[position] ?? 0;
      if (id > above && id <= upTo && !ids.has(id)) this.#list(position, false);
    }
  }

  /** Returns the values of the text field `name` in the listed rows, unordered: of all, or of those whose text field `by` is `value`. */
  collectValues(
    name: string,
    where?: { readonly by: string; readonly value: string },
  ): ReadonlySet<string> {
    const column = this.#requireWords(name);
    const keys = where === undefined ? undefined : this.#requireWords(where.by);
    const wanted = where === undefined ? undefined : keys?.findCode(where.value);
    const codes = new Uint8Array(column.distinct);
    for (let row = 0; row < this.#rows; row += 1)
      if (this.#listed[row] === 1 && keys?.codes[row] === wanted) codes[column.codes[row] ?? 0] = 1;
    const found = new Set<string>();
    for (const [code, has] of codes.entries())
      if (has === 1) for (const element of column.getElements(code)) found.add(String(element));
    return found;
  }

  #requireWords(name: string): WordColumn {
    const column = this.words.get(name);
    if (column === undefined) throw new Error(`${this.list.key} has no words of ${name}`);
    return column;
  }

  #columns() {
    const columns = [this.words, this.numbers, this.names, this.#texts].flatMap((each) => [
      ...each.values(),
    ]);
    return this.updates === null ? columns : [...columns, this.updates];
  }

  #append(id: number): number {
    const position = this.#rows;
    if (position >= this.#ids.length) {
      this.#ids = grow(this.#ids, position);
      this.#listed = grow(this.#listed, position);
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

  /** Drops text columns with many outdated versions, which frees their memory. The next search loads the column again. */
  #dropStaleTexts(): void {
    for (const [column, texts] of this.#texts)
      if (texts.versions > minVersions && texts.staleShare > maxStaleShare) this.dropTexts(column);
  }

  /** Sorts rows by id, because transactions may commit in another order than that of the ids. */
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
    const columns = this.#columns();
    for (const column of columns) column.reorder(order);
  }
}
