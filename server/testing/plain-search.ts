/** Evaluates a search over rows in memory, without the product's parser, SQL mapping or matching. */

import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { naturalOrder, versionOrder } from '@patch/catalogue/testing/number-orders.ts';

/** A row with plain values, arrays for several values, and null for none. */
export interface PlainRow {
  readonly id: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Folded lines that the keyword searches. */
  readonly words: readonly string[];
}

export interface PlainField {
  readonly kind: FieldKind;
  /** Values of a choice, lowest rank first. */
  readonly choices: readonly string[];
  readonly order: 'natural_order' | 'version_order' | null;
}

export interface PlainCondition {
  readonly field: string;
  readonly operator: string;
  readonly values: readonly (string | number | boolean)[];
}

export interface PlainSort {
  readonly field: string;
  readonly descending: boolean;
  /** Rows of which this flag is not true come last. */
  readonly onlyIf?: string;
}

export interface PlainSearch {
  readonly conditions: readonly PlainCondition[];
  /** Words and phrases. */
  readonly terms: readonly string[];
  /** The keyword where its matches are ranked, empty where only current records come first; null if rows are not ranked. */
  readonly name: string | null;
  readonly sort: readonly PlainSort[];
}

export type PlainFields = Readonly<Record<string, PlainField>>;

export const foldText = (text: string) =>
  plainLetters
    .reduce(
      (now, [letters, plain]) => now.replaceAll(letters, plain),
      text.normalize('NFC').toLowerCase(),
    )
    .normalize('NFC');

const plainLetters: readonly (readonly [RegExp, string])[] = [
  [/([iıﬁﬃ])\u0307+/g, '$1'],
  [/ı/g, 'i'],
  [/ß/g, 'ss'],
  [/ς/g, 'σ'],
  [/ſ/g, 's'],
  [/[ﬅﬆ]/g, 'st'],
  [/ﬀ/g, 'ff'],
  [/ﬁ/g, 'fi'],
  [/ﬂ/g, 'fl'],
  [/ﬃ/g, 'ffi'],
  [/ﬄ/g, 'ffl'],
];

const longKinds: readonly FieldKind[] = ['prose', 'identifiers', 'tags'];
const wordKinds: readonly FieldKind[] = ['text', 'identifier', 'choice', 'link', ...longKinds];

export const hasWords = ({ kind }: PlainField) => wordKinds.includes(kind);

/** Writes the condition in the filter language. */
export function conditionText(
  { field, operator, values }: PlainCondition,
  definition: PlainField,
): string {
  const asWritten = values.map((value) =>
    typeof value === 'string' ? `'${foldText(value).replaceAll("'", "''")}'` : String(value),
  );
  const name = hasWords(definition) && values.length > 0 ? `lower(${field})` : field;
  if (operator.endsWith('null')) return `${field} ${operator}`;
  if (operator === 'between') return `${name} between ${asWritten.join(' and ')}`;
  if (operator.endsWith('in')) return `${name} ${operator} (${asWritten.join(', ')})`;
  return `${name} ${operator} ${asWritten[0] ?? ''}`;
}

/** Returns the value of a field; null for an empty text or list. */
export function getValue({ id, values }: PlainRow, field: string): unknown {
  const value = field === 'id' ? id : (values[field] ?? null);
  return value === '' || (Array.isArray(value) && value.length === 0) ? null : value;
}

const elements = (value: unknown): readonly unknown[] =>
  value === null ? [] : Array.isArray(value) ? value : [value];

export function matchesCondition(
  row: PlainRow,
  { field, operator, values }: PlainCondition,
): boolean {
  const value = getValue(row, field);
  const own = elements(value).map((one) => (typeof one === 'string' ? foldText(one) : one));
  const expected = values.map((one) => (typeof one === 'string' ? foldText(one) : one));
  const isIncluded = own.some((one) => expected.includes(one as string));
  const [low = 0, high = 0] = expected;
  const [only = null] = own;
  switch (operator) {
    case 'is null':
      return value === null;
    case 'is not null':
      return value !== null;
    case '=':
    case 'in':
      return isIncluded;
    case '!=':
    case 'not in':
      return !isIncluded;
    case 'like':
      return own.some((one) => toLikePattern(String(low)).test(String(one)));
    case 'not like':
      return !own.some((one) => toLikePattern(String(low)).test(String(one)));
  }
  if (typeof only !== 'number') return false;
  if (operator === 'between') return only >= Number(low) && only <= Number(high);
  if (operator === '<') return only < Number(low);
  if (operator === '>') return only > Number(low);
  return operator === '<=' ? only <= Number(low) : only >= Number(low);
}

const patterns = new Map<string, RegExp>();

/** Converts a pattern of SQL's LIKE: percent for any text, underscore for one character, backslash as escape. */
function toLikePattern(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const parts = [...pattern.matchAll(/\\(.)|(%)|(_)|([^\\%_])|(\\)$/gsu)].map(
    ([, escaped, any, one, plain]) => {
      if (any !== undefined) return '[^]*';
      return one === undefined ? escapeText(escaped ?? plain ?? '\\') : '[^]';
    },
  );
  const expression = new RegExp(`^${parts.join('')}$`, 'u');
  patterns.set(pattern, expression);
  return expression;
}

const escapeText = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function hasTerms({ words }: PlainRow, terms: readonly string[]): boolean {
  return terms.every((term) => {
    const expected = foldText(term);
    const number = /^kb(\d{5,})$/.exec(expected)?.[1];
    return words.some((word) => word.includes(expected) || word === number);
  });
}

/** Tells how the matches of a keyword are ranked. */
export interface PlainRanking {
  /** Fields with identifiers of the record. */
  readonly identifiers: readonly string[];
  readonly title: string | null;
  /** Returns true for a record that is called by its title. */
  readonly isProduct: (row: PlainRow) => boolean;
}

/** Returns 0 for the best match. Records that another replaces follow those of their kind. */
function getRank(
  row: PlainRow,
  { terms, name }: PlainSearch,
  { identifiers, title, isProduct }: PlainRanking,
): number {
  const replaced = row.values['superseded'] === true ? 1 : 0;
  if (name === '') return replaced;
  if (isCalled(row, name ?? '', identifiers)) return replaced;
  const words = terms.flatMap((term) => foldText(term).split(/\s/)).filter((word) => word !== '');
  const text = title === null ? null : getValue(row, title);
  if (typeof text !== 'string' || words.length === 0) return 8 + replaced;
  const own = foldText(text).split(/[ \n]/);
  const hasEach = (fits: (each: string, word: string) => boolean) =>
    words.every((word) =>
      listWrittenForms(words, word).some((form) => own.some((each) => fits(each, form))),
    );
  if (hasEach((each, form) => plainForms.some((write) => each === write(form))))
    return (isProduct(row) ? 2 : 4) + replaced;
  const isBegun = hasEach((each, form) => each.startsWith(form));
  return (isBegun ? 6 : 8) + replaced;
}

/** Returns the word, and it with the name before it or the version after it: `mysql:8.0`, `mysql-8.0` and `mysql8.0`; of names `docker-engine`. */
function listWrittenForms(words: readonly string[], word: string): readonly string[] {
  const forms = [word];
  for (let at = 1; at < words.length; at += 1) {
    const [name = '', version = ''] = words.slice(at - 1, at + 1);
    if (![name, version].includes(word)) continue;
    if (/^\p{L}+ \p{L}+$/u.test(`${name} ${version}`)) forms.push(`${name}-${version}`);
    const isVersion = /^\p{L}+ \d+(\.\d+)*$/u.test(`${name} ${version}`);
    if (isVersion) forms.push(`${name}:${version}`, `${name}-${version}`, name + version);
  }
  return forms;
}

/** How a title writes a word. */
const plainForms: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `${word},`,
  (word) => `${word}:`,
  (word) => `${word};`,
  (word) => `${word}.`,
  (word) => `${word})`,
  (word) => `(${word}`,
  (word) => `(${word})`,
];

function isCalled(row: PlainRow, name: string, identifiers: readonly string[]): boolean {
  const expected = foldText(name);
  const names = [expected];
  if (/^kb\d{5,}$/.test(expected)) names.push(expected.slice(2));
  if (/^\d{5,}$/.test(expected)) names.push(`kb${expected}`);
  names.push(expected.split(' ').join('-'));
  const isOneName = /^\p{L}{3,}$/u.test(expected);
  return identifiers.some((field) => {
    const value = getValue(row, field);
    if (typeof value !== 'string') return false;
    const whole = foldText(value);
    // A package can have its version behind its name: `openssl 3.0.22-1`.
    const [first = '', ...rest] = whole.split(' ');
    const written = /^[0-9]/.test(rest[0] ?? '') ? [whole, first] : [whole];
    return written.some(
      (own) => names.includes(own) || (isOneName && own.replace(/[1-9]$/, '') === expected),
    );
  });
}

/** Returns all rows that match the search, in its order. */
export function plainSearch(
  rows: readonly PlainRow[],
  search: PlainSearch,
  fields: PlainFields,
  ranking: PlainRanking,
): readonly PlainRow[] {
  const { conditions, terms, name, sort } = search;
  const hits = rows.filter(
    (row) =>
      conditions.every((condition) => matchesCondition(row, condition)) && hasTerms(row, terms),
  );
  const ranks = new Map(
    hits.map((row) => [row, name === null ? 0 : getRank(row, search, ranking)]),
  );
  const keys: PlainSort[] = [...sort, { field: 'id', descending: sort[0]?.descending ?? false }];
  const orders = new Map(
    hits.map((row) => [
      row,
      keys.map(({ field, onlyIf }) =>
        onlyIf === undefined || getValue(row, onlyIf) === true
          ? getOrder(row, field, fields)
          : null,
      ),
    ]),
  );
  return hits.toSorted((a, b) => {
    const better = (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0);
    return better === 0 ? compare(orders.get(a) ?? [], orders.get(b) ?? [], keys) : better;
  });
}

type SortValue = string | number | null;

function getOrder(row: PlainRow, field: string, fields: PlainFields): SortValue {
  const value = getValue(row, field);
  const definition = fields[field];
  if (value === null || typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  const text = elements(value)
    .map((one) => foldText(String(one)))
    .join('\n');
  if (definition?.kind === 'choice')
    return definition.choices.findIndex((choice) => foldText(choice) === text);
  const start =
    definition !== undefined && longKinds.includes(definition.kind) ? text.slice(0, 100) : text;
  if (definition?.order === 'version_order') return versionOrder(start);
  return definition?.order === 'natural_order' ? naturalOrder(start) : start;
}

function compare(
  a: readonly SortValue[],
  b: readonly SortValue[],
  keys: readonly PlainSort[],
): number {
  for (const [index, { descending }] of keys.entries()) {
    const [left = null, right = null] = [a[index], b[index]];
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

/** Counts rows by folded value of a field, dates by year in UTC, and rows without a value by the empty text. */
export function plainFacet(
  rows: readonly PlainRow[],
  field: string,
  { kind }: PlainField,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = getValue(row, field);
    const shown =
      kind === 'date' && typeof value === 'number' ? new Date(value).getUTCFullYear() : value;
    const own = new Set(elements(shown).map((one) => foldText(String(one))));
    for (const one of own.size === 0 ? [''] : own) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}
