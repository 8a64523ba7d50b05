/** A checked condition as SQL. Column names come from the list's definition, values go into the parameters. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { CheckedCondition } from '@patch/contract/filter/check-filter.ts';
import type { Comparison, Scalar } from '@patch/contract/filter/filter-conditions.ts';
import { arrayText } from '../database/array-text.ts';
import { columnsOfField, type FieldColumns } from '../database/list-columns.ts';
import { foldedLine, rankOfWord } from '../database/stored-row.ts';
import { indexablePattern, literally, shapeOf } from './like-pattern.ts';
import type { Parameters } from './parameters.ts';

/**
 * What a vendor leaves out differs from every value: `!=`, `not in` and `not like` find it too.
 */
export function conditionSql(list: ListDefinition, condition: CheckedCondition, parameters: Parameters): string {
  const columns = columnsOfField(list, condition.name);
  if (columns.sealed) throw new Error(`${columns.column} is sealed: restricted-search.ts evaluates conditions on it`);
  if (condition.is === 'null') return `${columns.column} is ${condition.negated ? 'not ' : ''}null`;
  if (columns.folded === null) return valueSql(columns, condition, parameters);
  return wordsSql(list, columns, condition, parameters);
}

/** A pattern that the keyword of every row meets that meets the condition; null when there is none that an index helps with. */
export function keywordPattern(list: ListDefinition, condition: CheckedCondition): string | null {
  const { kind, storage, restricted } = columnsOfField(list, condition.name);
  // Links and restricted fields are not part of the keyword.
  if (!storage.words || kind === 'link' || restricted) return null;
  if (condition.is === 'like' && !condition.negated) return indexablePattern(condition.pattern);
  // Lines are compared as a whole by their own ordered index.
  if (condition.is !== 'compared' || condition.comparison !== '=' || !storage.long) return null;
  return indexablePattern(`%${literally(String(condition.value))}%`);
}

type Tested = Exclude<CheckedCondition, { is: 'null' }>;

const typeOfColumn = { text: 'text', bigint: 'bigint', boolean: 'boolean' } as const;

function valueSql({ column, storage }: FieldColumns, condition: Tested, parameters: Parameters): string {
  const type = typeOfColumn[storage.type];
  const value = (scalar: Scalar) => `${parameters.add(scalar)}::${type}`;
  switch (condition.is) {
    case 'compared':
      return compared(column, condition.comparison, value(condition.value));
    case 'between':
      return `${column} between ${value(condition.low)} and ${value(condition.high)}`;
    case 'oneOf':
      return oneOf(column, condition.negated, `${parameters.add(arrayText(condition.values))}::${type}[]`);
    case 'like':
      throw new Error(`${column} holds no words`);
  }
}

function wordsSql(list: ListDefinition, columns: FieldColumns, condition: Tested, parameters: Parameters): string {
  const folded = columns.folded ?? columns.column;
  switch (condition.is) {
    case 'compared':
    case 'oneOf': {
      const words = (condition.is === 'oneOf' ? condition.values : [condition.value]).map(String);
      const negated = condition.is === 'oneOf' ? condition.negated : condition.comparison === '!=';
      if (condition.is === 'compared' && condition.comparison !== '=' && !negated) throw new Error(`${folded} has no order to compare by`);
      if (columns.storage.several) return anyElement(folded, negated, `${parameters.add(arrayText(words))}::text[]`);
      const ranks = columns.rank === null ? [] : words.map((word) => rankOfWord(list, columns.field, word));
      if (columns.rank !== null && ranks.every((rank) => rank >= 0)) {
        return oneOf(columns.rank, negated, `${parameters.add(arrayText(ranks))}::smallint[]`);
      }
      const lines = columns.storage.long ? words : words.map(foldedLine);
      return oneOf(folded, negated, `${parameters.add(arrayText(lines))}::text[]`);
    }
    case 'like':
      return negatable(condition.negated, folded, likeSql(columns.storage.several, folded, condition.pattern, parameters));
    case 'between':
      throw new Error(`${folded} has no range`);
  }
}

function likeSql(several: boolean, folded: string, pattern: string, parameters: Parameters): string {
  // A backslash at the end escapes nothing, which PostgreSQL refuses: it stands for itself.
  const whole = /(^|[^\\])(\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern;
  const { shape, literal } = shapeOf(whole);
  if (!several || (shape === 'contains' && !literal.includes('\n'))) return `${folded} like ${parameters.add(whole)}::text`;
  return `exists (select from unnest(string_to_array(${folded}, E'\\n')) as element where element like ${parameters.add(whole)}::text)`;
}

function compared(column: string, comparison: Comparison, value: string): string {
  return comparison === '!=' ? `${column} is distinct from ${value}` : `${column} ${comparison} ${value}`;
}

function oneOf(column: string, negated: boolean, values: string): string {
  return negatable(negated, column, `${column} = any(${values})`);
}

/** A field of several values equals a word when one of them does. */
function anyElement(folded: string, negated: boolean, values: string): string {
  return negatable(negated, folded, `string_to_array(${folded}, E'\\n') && ${values}`);
}

function negatable(negated: boolean, column: string, test: string): string {
  return negated ? `(${column} is null or not ${test})` : test;
}
