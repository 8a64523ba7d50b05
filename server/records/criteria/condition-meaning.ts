/**
 * The meaning of each kind of condition, in the three ways in which it is evaluated: as SQL, as a test of one value, and as what a
 * column in memory is asked. A value that a vendor leaves out differs from every value: `!=`, `not in` and `not like` find it too.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Condition, Scalar } from '@patch/contract/filter/filter-conditions.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { columnsOfField, type FieldColumns } from '../../platform/database/list-columns.ts';
import { foldedLine, rankOfWord } from '../../platform/database/stored-row.ts';
import { completePattern, matchesLike, shapeOf } from './like-pattern.ts';
import type { Parameters } from './parameters.ts';
import { patternOfLike, patternOfText, type TextPattern } from './text-pattern.ts';

type Kind = Condition['kind'];
type ConditionOf<K extends Kind> = Extract<Condition, { readonly kind: K }>;

/** Whether a value meets a condition; null stands for no value. */
export type ValueTest = (value: unknown) => boolean;

/** The lowest and the highest number that meet a condition. */
export type NumberRange = readonly [low: number, high: number];

/** The texts that a column in memory is asked for: one of them is enough, or, negated, none of them may be met. */
export interface AskedTexts {
  readonly patterns: readonly TextPattern[];
  readonly negated: boolean;
}

interface SqlOf {
  readonly list: ListDefinition;
  readonly columns: FieldColumns;
  readonly parameters: Parameters;
}

interface Meaning<K extends Kind> {
  sql(condition: ConditionOf<K>, of: SqlOf): string;
  test(condition: ConditionOf<K>): ValueTest;
  /** Null: the condition is no range of numbers. */
  range(condition: ConditionOf<K>): NumberRange | null;
  /** Null: only PostgreSQL evaluates it over texts. */
  texts(condition: ConditionOf<K>, storage: FieldColumns['storage']): AskedTexts | null;
}

const meanings: { readonly [K in Kind]: Meaning<K> } = {
  null: {
    sql: ({ negated }, { columns }) => `${columns.column} is ${negated ? 'not ' : ''}null`,
    test:
      ({ negated }) =>
      (value) =>
        (value === null) !== negated,
    range: () => null,
    texts: ({ negated }) => ({ patterns: [{ kind: 'any' }], negated: !negated }),
  },
  compared: {
    sql({ comparison, value }, of) {
      const { column, folded, storage } = of.columns;
      if (folded === null) {
        const asked = `${of.parameters.add(value)}::${storage.type}`;
        return comparison === '!='
          ? `${column} is distinct from ${asked}`
          : `${column} ${comparison} ${asked}`;
      }
      if (comparison !== '=' && comparison !== '!=')
        throw new Error(`${folded} has no order to compare by`);
      return wordsSql([value], comparison === '!=', of);
    },
    test({ comparison, value: asked }) {
      if (comparison === '=' || comparison === '!=') {
        const isEqual = equalTo(asked);
        return (value) => isEqual(value) === (comparison === '=');
      }
      const number = Number(asked);
      const compare = comparisons[comparison];
      return (value) => value !== null && compare(Number(value), number);
    },
    range({ comparison, value }) {
      const asked = Number(value);
      switch (comparison) {
        case '=':
          return [asked, asked];
        case '<=':
          return [Number.NEGATIVE_INFINITY, asked];
        case '>=':
          return [asked, Number.POSITIVE_INFINITY];
        case '<':
          return [Number.NEGATIVE_INFINITY, nextNumber(asked, -1)];
        case '>':
          return [nextNumber(asked, 1), Number.POSITIVE_INFINITY];
        case '!=':
          return null;
      }
    },
    texts: ({ comparison, value }, storage) =>
      comparison === '=' || comparison === '!='
        ? equalTexts([value], comparison === '!=', storage)
        : null,
  },
  between: {
    sql({ low, high }, { columns: { column, folded, storage }, parameters }) {
      if (folded !== null) throw new Error(`${folded} has no range`);
      const [from, to] = [low, high].map((one) => `${parameters.add(one)}::${storage.type}`);
      return `${column} between ${from} and ${to}`;
    },
    test({ low, high }) {
      const [from, to] = [Number(low), Number(high)];
      return (value) => value !== null && Number(value) >= from && Number(value) <= to;
    },
    range: ({ low, high }) => [Number(low), Number(high)],
    texts: () => null,
  },
  oneOf: {
    sql({ values, negated }, of) {
      const { column, folded, storage } = of.columns;
      if (folded !== null) return wordsSql(values, negated, of);
      const asked = `${of.parameters.add(arrayText(values))}::${storage.type}[]`;
      return unlessNull(negated, column, `${column} = any(${asked})`);
    },
    test({ values, negated }) {
      const words = new Set(values.filter((value) => typeof value === 'string'));
      const others = new Set<unknown>(values.filter((value) => typeof value !== 'string'));
      return (value) =>
        (others.has(value) ||
          (words.size > 0 && foldedElements(value).some((word) => words.has(word)))) !== negated;
    },
    range: () => null,
    texts: ({ values, negated }, storage) => equalTexts(values, negated, storage),
  },
  like: {
    sql({ pattern, negated }, { columns: { column, folded, storage }, parameters }) {
      if (folded === null) throw new Error(`${column} holds no words`);
      const asked = `${parameters.add(completePattern(pattern))}::text`;
      const { shape, literal } = shapeOf(pattern);
      // Text that stands anywhere in a line stands anywhere in all of them.
      const isOfEachLine = storage.several && (shape !== 'contains' || literal.includes('\n'));
      const test = isOfEachLine
        ? `exists (select from unnest(string_to_array(${folded}, E'\\n')) as element where element like ${asked})`
        : `${folded} like ${asked}`;
      return unlessNull(negated, folded, test);
    },
    test:
      ({ pattern, negated }) =>
      (value) =>
        foldedElements(value).some((word) => matchesLike(pattern, word)) !== negated,
    range: () => null,
    texts({ pattern, negated }, storage) {
      const asked = patternOfLike(pattern, storage.several ? 'line' : 'text');
      return asked === null ? null : { patterns: [asked], negated };
    },
  },
};

/** TypeScript cannot follow that the meaning is that of the condition's own kind. */
const meaningOf = (condition: Condition) => meanings[condition.kind] as Meaning<Kind>;

/** The condition over the list's columns; values go into the parameters. */
export function conditionSql(
  list: ListDefinition,
  condition: Condition,
  parameters: Parameters,
): string {
  const columns = columnsOfField(list, condition.name);
  if (columns.sealed)
    throw new Error(`${columns.column} is sealed: restricted-search.ts evaluates conditions on it`);
  return meaningOf(condition).sql(condition, { list, columns, parameters });
}

export const valueTest = (condition: Condition): ValueTest => meaningOf(condition).test(condition);

export const rangeOf = (condition: Condition): NumberRange | null =>
  meaningOf(condition).range(condition);

export const textsOf = (
  condition: Condition,
  storage: FieldColumns['storage'],
): AskedTexts | null => meaningOf(condition).texts(condition, storage);

/** The folded words of a value: one of a line, each of a field of several values, none of an empty field. */
export function foldedElements(value: unknown): readonly string[] {
  return value === null
    ? []
    : (Array.isArray(value) ? value : [value]).map((element) => fold(String(element)));
}

function equalTo(asked: Scalar): ValueTest {
  return typeof asked === 'string'
    ? (value) => foldedElements(value).includes(asked)
    : (value) => value === asked;
}

const comparisons = {
  '<': (value: number, asked: number) => value < asked,
  '<=': (value: number, asked: number) => value <= asked,
  '>': (value: number, asked: number) => value > asked,
  '>=': (value: number, asked: number) => value >= asked,
};

/** A field of several values equals a word when one of them does; a choice is compared by its place among the choices. */
function wordsSql(
  values: readonly Scalar[],
  negated: boolean,
  { list, columns, parameters }: SqlOf,
): string {
  const { field, column, rank, storage } = columns;
  const folded = columns.folded ?? column;
  const words = values.map(String);
  if (storage.several)
    return unlessNull(
      negated,
      folded,
      `string_to_array(${folded}, E'\\n') && ${parameters.add(arrayText(words))}::text[]`,
    );
  const ranks = words.map((word) => rankOfWord(list, field, word));
  if (rank !== null && ranks.every((place) => place >= 0))
    return unlessNull(
      negated,
      rank,
      `${rank} = any(${parameters.add(arrayText(ranks))}::smallint[])`,
    );
  const lines = storage.long ? words : words.map(foldedLine);
  return unlessNull(
    negated,
    folded,
    `${folded} = any(${parameters.add(arrayText(lines))}::text[])`,
  );
}

function equalTexts(
  values: readonly Scalar[],
  negated: boolean,
  storage: FieldColumns['storage'],
): AskedTexts | null {
  const edge = storage.several ? 'line' : 'text';
  const words = values.map(String);
  const lines = storage.several || storage.long ? words : words.map(foldedLine);
  if (lines.some((line) => line.includes('\n'))) return null;
  return { patterns: lines.map((line) => patternOfText(line, edge, edge)), negated };
}

/** A row without a value meets what is negated. */
const unlessNull = (negated: boolean, column: string, test: string): string =>
  negated ? `(${column} is null or not ${test})` : test;

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** The number that is next to this one, above or below. */
function nextNumber(number: number, direction: 1 | -1): number {
  // No row has such a value.
  if (!Number.isFinite(number)) return number;
  if (number === 0) return direction * Number.MIN_VALUE;
  float[0] = number;
  bits[0] = (bits[0] ?? 0n) + BigInt(number > 0 ? direction : -direction);
  return float[0];
}
