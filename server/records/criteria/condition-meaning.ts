/**
 * The meaning of each kind of condition, in the three ways in which it is evaluated: as SQL, as a test of one value, and as a range or text
 * pattern of a column in memory. NULL satisfies negated operators: `!=`, `not in` and `not like`.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  isCriterionOnly,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import type { Condition, Scalar } from '@patch/contract/filter/filter-conditions.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { columnsOfField, type FieldColumns } from '../../platform/database/rows/list-columns.ts';
import { getChoiceRank, truncateFolded } from '../../platform/database/rows/stored-row.ts';
import {
  classifyPattern,
  createTextPattern,
  escapeTrailingBackslash,
  matchesLike,
  parseLikePattern,
  type TextPattern,
} from './text-pattern.ts';

/** Collects the parameters of a statement, so that its text never contains a value. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder, such as `$3`. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

type Kind = Condition['kind'];
type ConditionByKind<K extends Kind> = Extract<Condition, { readonly kind: K }>;

/** Returns true when a value meets a condition; null is a missing value. */
type ValueTest = (value: unknown) => boolean;

/** The lowest and the highest number that meet a condition. */
export type NumberRange = readonly [low: number, high: number];

/** Patterns over a text column in memory. A row must match one of them, or none of them when negated. */
export interface TextCondition {
  readonly patterns: readonly TextPattern[];
  readonly negated: boolean;
}

interface SqlContext {
  readonly list: ListDefinition;
  readonly columns: FieldColumns;
  readonly parameters: Parameters;
}

interface Meaning<K extends Kind> {
  sql(condition: ConditionByKind<K>, context: SqlContext): string;
  test(condition: ConditionByKind<K>): ValueTest;
  /** Returns null when the condition is not a range of numbers. */
  range(condition: ConditionByKind<K>): NumberRange | null;
  /** Returns null when only PostgreSQL evaluates the condition over texts. */
  texts(condition: ConditionByKind<K>, storage: FieldColumns['storage']): TextCondition | null;
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
    sql({ comparison, value }, context) {
      const { column, folded, storage } = context.columns;
      if (folded === null) {
        const operand = `${context.parameters.add(value)}::${storage.type}`;
        return comparison === '!='
          ? `${column} is distinct from ${operand}`
          : `${column} ${comparison} ${operand}`;
      }
      if (comparison !== '=' && comparison !== '!=')
        throw new Error(`${folded} has no order to compare by`);
      return wordsSql([value], comparison === '!=', context);
    },
    test({ comparison, value: operand }) {
      if (comparison === '=' || comparison === '!=') {
        const isEqual = createEqualityTest(operand);
        return (value) => isEqual(value) === (comparison === '=');
      }
      const number = Number(operand);
      const compare = comparisons[comparison];
      return (value) => value !== null && compare(Number(value), number);
    },
    range({ comparison, value }) {
      const number = Number(value);
      switch (comparison) {
        case '=':
          return [number, number];
        case '<=':
          return [Number.NEGATIVE_INFINITY, number];
        case '>=':
          return [number, Number.POSITIVE_INFINITY];
        case '<':
          return [Number.NEGATIVE_INFINITY, getNextNumber(number, -1)];
        case '>':
          return [getNextNumber(number, 1), Number.POSITIVE_INFINITY];
        case '!=':
          return null;
      }
    },
    texts: ({ comparison, value }, storage) =>
      comparison === '=' || comparison === '!='
        ? createEqualTexts([value], comparison === '!=', storage)
        : null,
  },
  between: {
    sql({ low, high }, { columns: { column, folded, storage }, parameters }) {
      if (folded !== null) throw new Error(`${folded} has no range`);
      const [from, to] = [low, high].map((bound) => `${parameters.add(bound)}::${storage.type}`);
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
    sql({ values, negated }, context) {
      const { column, folded, storage } = context.columns;
      if (folded !== null) return wordsSql(values, negated, context);
      if (column === 'id') return idsSql(values, negated, context.parameters);
      const operands = `${context.parameters.add(arrayText(values))}::${storage.type}[]`;
      return unlessNull(negated, column, `${column} = any(${operands})`);
    },
    test({ values, negated }) {
      const words = new Set(values.filter((value) => typeof value === 'string'));
      const others = new Set<unknown>(values.filter((value) => typeof value !== 'string'));
      return (value) =>
        (others.has(value) ||
          (words.size > 0 && foldElements(value).some((word) => words.has(word)))) !== negated;
    },
    range: () => null,
    texts: ({ values, negated }, storage) => createEqualTexts(values, negated, storage),
  },
  like: {
    sql({ pattern, negated }, { columns: { column, folded, storage }, parameters }) {
      if (folded === null) throw new Error(`${column} holds no words`);
      const operand = `${parameters.add(escapeTrailingBackslash(pattern))}::text`;
      const { shape, literal } = classifyPattern(pattern);
      // A literal that may be anywhere in a line need not be compared line by line.
      const comparesLines = storage.several && (shape !== 'contains' || literal.includes('\n'));
      const test = comparesLines
        ? `exists (select from unnest(string_to_array(${folded}, E'\\n')) as element where element like ${operand})`
        : `${folded} like ${operand}`;
      return unlessNull(negated, folded, test);
    },
    test:
      ({ pattern, negated }) =>
      (value) =>
        foldElements(value).some((word) => matchesLike(pattern, word)) !== negated,
    range: () => null,
    texts({ pattern, negated }, storage) {
      const converted = parseLikePattern(pattern, storage.several ? 'line' : 'text');
      return converted === null ? null : { patterns: [converted], negated };
    },
  },
};

/** The cast is safe because the key is the kind of the condition, which TypeScript cannot infer. */
const getMeaning = (condition: Condition) => meanings[condition.kind] as Meaning<Kind>;

/** Returns the SQL of a condition. Its values are added to the parameters. */
export function conditionSql(
  list: ListDefinition,
  condition: Condition,
  parameters: Parameters,
): string {
  if (isCriterionOnly(list, condition.name))
    throw new Error(`${condition.name} has no column: computed-criteria.ts resolves it before`);
  const columns = columnsOfField(list, condition.name);
  if (columns.sealed)
    throw new Error(`${columns.column} is sealed: computed-criteria.ts resolves it before`);
  return getMeaning(condition).sql(condition, { list, columns, parameters });
}

export const createValueTest = (condition: Condition): ValueTest =>
  getMeaning(condition).test(condition);

export const toNumberRange = (condition: Condition): NumberRange | null =>
  getMeaning(condition).range(condition);

export const toTextCondition = (
  condition: Condition,
  storage: FieldColumns['storage'],
): TextCondition | null => getMeaning(condition).texts(condition, storage);

/** Returns the folded words of a value: each element of an array, one of a single value, none of null. */
function foldElements(value: unknown): readonly string[] {
  return value === null
    ? []
    : (Array.isArray(value) ? value : [value]).map((element) => fold(String(element)));
}

function createEqualityTest(operand: Scalar): ValueTest {
  return typeof operand === 'string'
    ? (value) => foldElements(value).includes(operand)
    : (value) => value === operand;
}

const comparisons = {
  '<': (value: number, operand: number) => value < operand,
  '<=': (value: number, operand: number) => value <= operand,
  '>': (value: number, operand: number) => value > operand,
  '>=': (value: number, operand: number) => value >= operand,
};

/** More ids are hashed: the planner looks at each element of an array, which takes 0.3 s for 10,000 ids in eight partitions. */
const maxComparedIds = 1_000;

function idsSql(ids: readonly Scalar[], negated: boolean, parameters: Parameters): string {
  const operands = `${parameters.add(arrayText(ids))}::bigint[]`;
  // A query below an expression is hashed once; by itself it would be joined, with a wrong guess at its rows.
  const test =
    ids.length > maxComparedIds
      ? `coalesce(id in (select unnest(${operands})), false)`
      : `id = any(${operands})`;
  return negated ? `not ${test}` : test;
}

/** A field of several values equals a word when one of them does. A choice is compared by its rank among the choices. */
function wordsSql(
  values: readonly Scalar[],
  negated: boolean,
  { list, columns, parameters }: SqlContext,
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
  const ranks = words.map((word) => getChoiceRank(list, field, word));
  if (rank !== null && ranks.every((index) => index >= 0))
    return unlessNull(
      negated,
      rank,
      `${rank} = any(${parameters.add(arrayText(ranks))}::smallint[])`,
    );
  const lines = storage.long ? words : words.map(truncateFolded);
  return unlessNull(
    negated,
    folded,
    `${folded} = any(${parameters.add(arrayText(lines))}::text[])`,
  );
}

function createEqualTexts(
  values: readonly Scalar[],
  negated: boolean,
  storage: FieldColumns['storage'],
): TextCondition | null {
  const edge = storage.several ? 'line' : 'text';
  const words = values.map(String);
  const lines = storage.several || storage.long ? words : words.map(truncateFolded);
  if (lines.some((line) => line.includes('\n'))) return null;
  return { patterns: lines.map((line) => createTextPattern(line, edge, edge)), negated };
}

/** NULL satisfies negated tests. */
const unlessNull = (negated: boolean, column: string, test: string): string =>
  negated ? `(${column} is null or not ${test})` : test;

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** Returns the adjacent floating-point number, above or below. */
function getNextNumber(number: number, direction: 1 | -1): number {
  // Values of rows are finite.
  if (!Number.isFinite(number)) return number;
  if (number === 0) return direction * Number.MIN_VALUE;
  float[0] = number;
  bits[0] = (bits[0] ?? 0n) + BigInt(number > 0 ? direction : -direction);
  return float[0];
}
