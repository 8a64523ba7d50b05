/** SQL of a keyword: the tests that a row must pass, and the rank of its matches. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { columnsOfField, searchedColumns } from '../../platform/database/rows/list-columns.ts';
import type { Parameters } from '../criteria/condition-meaning.ts';
import {
  getMatchingNames,
  type KeywordPart,
  type PackageKeyword,
  splitKeyword,
} from '../criteria/keyword-parts.ts';
import {
  getIdentifierColumns,
  getProductLists,
  getRankedWords,
  getTitleColumn,
  getWholeWords,
  getWordStarts,
  hasOwnLists,
  hasSuperseded,
  nameStemSql,
  ownListField,
  supersededField,
} from '../criteria/match-rank.ts';
import type { Search } from '../criteria/search-request.ts';
import { escapeLike } from '../criteria/text-pattern.ts';

/** Returns the tests of a keyword. A row must pass all of them. */
export function keywordTests(
  list: ListDefinition,
  keyword: string,
  parameters: Parameters,
): string[] {
  return splitKeyword(list, keyword).map((part) => partSql(list, part, parameters));
}

/** Tests that one of the columns has a line for which `test` is true. */
const anyColumn = (list: ListDefinition, test: (column: string) => string): string =>
  `(${searchedColumns(list).map(test).join(' or ')})`;

function containsSql(list: ListDefinition, text: string, parameters: Parameters): string {
  const pattern = parameters.add(`%${escapeLike(text)}%`);
  return anyColumn(list, (column) => `${column} like ${pattern}::text`);
}

/** Tests that a line of the row is the text, or begins with it. */
function lineSql(
  list: ListDefinition,
  text: string,
  isComplete: boolean,
  parameters: Parameters,
): string {
  const pattern = parameters.add(`%\n${escapeLike(text)}${isComplete ? '\n' : ''}%`);
  return anyColumn(list, (column) => `(E'\\n' || ${column} || E'\\n') like ${pattern}::text`);
}

/** Tests that the words of a row include the name and the version of a package. */
function packageKeywordSql(
  list: ListDefinition,
  { name, version, isComplete }: PackageKeyword,
  parameters: Parameters,
): string {
  // The first test fails for most rows, so that the lines of the others are not joined.
  return [
    containsSql(list, version, parameters),
    lineSql(list, name, true, parameters),
    lineSql(list, version, isComplete, parameters),
  ].join(' and ');
}

/** Finds a KB with or without its letters, and a package by its name and version. */
function partSql(
  list: ListDefinition,
  { text, pasted, kbNumber }: KeywordPart,
  parameters: Parameters,
): string {
  const contains = containsSql(list, text, parameters);
  if (pasted !== null) return `(${contains} or ${packageKeywordSql(list, pasted, parameters)})`;
  if (kbNumber === null) return contains;
  // Every row with the letters has the number too.
  return `(${containsSql(list, kbNumber, parameters)} and (${contains} or ${lineSql(list, kbNumber, true, parameters)}))`;
}

/** Returns a number that is lower for better matches of the keyword, as `match-rank.ts` defines them. */
export function rankSql(search: Search, parameters: Parameters): string {
  const { list, keyword } = search;
  const superseded = hasSuperseded(list)
    ? `coalesce(${columnsOfField(list, supersededField).column}, false)::int`
    : '0';
  return keyword === '' ? superseded : `2 * ${matchSql(search, parameters)} + ${superseded}`;
}

function matchSql({ list, keyword }: Search, parameters: Parameters): string {
  const columns = getIdentifierColumns(list);
  // Without a column to compare, PostgreSQL could not tell the type of the parameter.
  const names =
    columns.length === 0 ? '' : parameters.add(arrayText(getMatchingNames({ keyword })));
  const identified = columns.map(
    (column) =>
      `${column} = any(${names}::text[]) or ${nameStemSql(column)} = any(${names}::text[])`,
  );
  const { column: title } = getTitleColumn(list);
  const cases = identified.map((test) => `when ${test} then 0`);
  const words = getRankedWords(keyword);
  if (title !== null && words.length > 0) {
    const isProduct = hasOwnLists(list)
      ? `${ownListField} = any(${parameters.add(arrayText(getProductLists()))}::text[])`
      : 'false';
    const hasOne = (patterns: readonly string[]) =>
      `(' ' || translate(${title}, E'\n', ' ') || ' ') like any(${parameters.add(arrayText(patterns))}::text[])`;
    const whole = words.map((word) =>
      hasOne(getWholeWords(word).map((form) => `% ${escapeLike(form)} %`)),
    );
    const begun = words.map((word) =>
      hasOne(getWordStarts(word).map((start) => `% ${escapeLike(start)}%`)),
    );
    cases.push(
      `when ${whole.join(' and ')} then case when ${isProduct} then 1 else 2 end`,
      `when ${begun.join(' and ')} then 3`,
    );
  }
  return cases.length === 0 ? '4' : `case ${cases.join(' ')} else 4 end`;
}
