/** A checked condition as SQL. Column names come from the list's definition, values go into the parameters. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Comparison, Condition, Scalar } from '@patch/contract/filter/filter-conditions.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { columnsOfField, type FieldColumns } from '../../platform/database/list-columns.ts';
import { foldedLine, rankOfWord } from '../../platform/database/stored-row.ts';
import { shapeOf } from '../criteria/like-pattern.ts';
import type { Parameters } from './parameters.ts';

/**
 * What a vendor leaves out differs from every value: `!=`, `not in` and `not like` find it too.
 */
export function conditionSql(
  list: ListDefinition,
  condition: Condition,
  parameters: Parameters,
): string {
  const columns = columnsOfField(list, condition.name);
  if (columns.sealed)
    throw new Error(`${columns.column} is sealed: restricted-search.ts evaluates conditions on it`);
  if (condition.kind === 'null')
    return `${columns.column} is ${condition.negated ? 'not ' : ''}null`;
  if (columns.folded === null) return valueSql(columns, condition, parameters);
  return wordsSql(list, columns, condition, parameters);
}

type Tested = Exclude<Condition, { kind: 'null' }>;

function valueSql(
  { column, storage }: FieldColumns,
  condition: Tested,
  parameters: Parameters,
): string {
  const { type } = storage;
  const value = (scalar: Scalar) => `${parameters.add(scalar)}::${type}`;
  switch (condition.kind) {
    case 'compared':
      return compared(column, condition.comparison, value(condition.value));
    case 'between':
      return `${column} between ${value(condition.low)} and ${value(condition.high)}`;
    case 'oneOf':
      return oneOf(
        column,
        condition.negated,
        `${parameters.add(arrayText(condition.values))}::${type}[]`,
      );
    case 'like':
      throw new Error(`${column} holds no words`);
  }
}

function wordsSql(
  list: ListDefinition,
  columns: FieldColumns,
  condition: Tested,
  parameters: Parameters,
): string {
  const folded = columns.folded ?? columns.column;
  switch (condition.kind) {
    case 'compared':
    case 'oneOf': {
      const words = (condition.kind === 'oneOf' ? condition.values : [condition.value]).map(String);
      const negated =
        condition.kind === 'oneOf' ? condition.negated : condition.comparison === '!=';
      if (condition.kind === 'compared' && condition.comparison !== '=' && !negated)
        throw new Error(`${folded} has no order to compare by`);
      if (columns.storage.several)
        return anyElement(folded, negated, `${parameters.add(arrayText(words))}::text[]`);
      const ranks = ranksOf(list, columns, condition);
      if (columns.rank !== null && ranks !== null) {
        return oneOf(columns.rank, negated, `${parameters.add(arrayText(ranks))}::smallint[]`);
      }
      const lines = columns.storage.long ? words : words.map(foldedLine);
      return oneOf(folded, negated, `${parameters.add(arrayText(lines))}::text[]`);
    }
    case 'like':
      return unlessNull(
        condition.negated,
        folded,
        likeSql(columns.storage.several, folded, condition.pattern, parameters),
      );
    case 'between':
      throw new Error(`${folded} has no range`);
  }
}

/** The places of the words among the choices; null unless each is one. */
function ranksOf(
  list: ListDefinition,
  { field, rank }: FieldColumns,
  condition: Condition,
): readonly number[] | null {
  if (rank === null || (condition.kind !== 'oneOf' && condition.kind !== 'compared')) return null;
  const words = condition.kind === 'oneOf' ? condition.values : [condition.value];
  const ranks = words.map((word) => rankOfWord(list, field, String(word)));
  return ranks.every((place) => place >= 0) ? ranks : null;
}

function likeSql(
  several: boolean,
  folded: string,
  pattern: string,
  parameters: Parameters,
): string {
  const whole = wholePattern(pattern);
  if (!isOfEachLine(several, whole)) return `${folded} like ${parameters.add(whole)}::text`;
  return `exists (select from unnest(string_to_array(${folded}, E'\\n')) as element where element like ${parameters.add(whole)}::text)`;
}

/** A backslash at the end escapes nothing, which PostgreSQL refuses: it stands for itself. */
function wholePattern(pattern: string): string {
  return /(^|[^\\])(\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern;
}

/** Text that stands anywhere in a line stands anywhere in all of them. */
function isOfEachLine(several: boolean, pattern: string): boolean {
  const { shape, literal } = shapeOf(pattern);
  return several && (shape !== 'contains' || literal.includes('\n'));
}

function compared(column: string, comparison: Comparison, value: string): string {
  return comparison === '!='
    ? `${column} is distinct from ${value}`
    : `${column} ${comparison} ${value}`;
}

function oneOf(column: string, negated: boolean, values: string): string {
  return unlessNull(negated, column, `${column} = any(${values})`);
}

/** A field of several values equals a word when one of them does. */
function anyElement(folded: string, negated: boolean, values: string): string {
  return unlessNull(negated, folded, `string_to_array(${folded}, E'\\n') && ${values}`);
}

/** A row without a value meets what is negated. */
function unlessNull(negated: boolean, column: string, test: string): string {
  return negated ? `(${column} is null or not ${test})` : test;
}
