/** How a keyword is searched: the test that a row must pass, the patterns for the index of words, and the records whose name is the keyword. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { foldedLine } from '../../platform/database/stored-row.ts';
import { keywordPattern } from './condition-sql.ts';
import { indexablePattern, isIndexable, literally } from './like-pattern.ts';
import { packageKeyword, packageKeywordSql } from './package-keyword.ts';
import type { Parameters } from './parameters.ts';
import type { Search } from './search-request.ts';

/** Whether an index can name the candidates: `candidateScanSql` is then fast while they are few, however many rows the list has. */
export function hasSelectiveWord(search: Search): boolean {
  return selectivePattern(search) !== null;
}

/** The pattern by which the index of words is asked; null when there is none. */
export function selectivePattern(search: Search): string | null {
  const { list, keyword, conditions } = search;
  const patterns = [
    ...keywordPatterns(list, keyword),
    ...conditions.map((condition) => keywordPattern(list, condition)),
  ].filter((pattern) => pattern !== null);
  return patterns.toSorted((a, b) => selectivity(b) - selectivity(a))[0] ?? null;
}

/** Each is met by every row that the keyword is met by. */
function keywordPatterns(list: ListDefinition, keyword: string): readonly (string | null)[] {
  const named = packageKeyword(list, keyword);
  // All of a version, not the longest number in it: 150500 is in every package of a release.
  if (named !== null)
    return [named.version, named.name].map((text) => (isIndexable(text) ? containing(text) : null));
  return keyword === '' ? [] : [indexablePattern(containing(numberOfKb(keyword) ?? keyword))];
}

const selectivity = (pattern: string) => (/\d/.test(pattern) ? 100 : 0) + pattern.length;

const containing = (text: string) => `%${literally(text)}%`;

/** A KB number is found with its letters or without, whichever way it was typed; a package by its name and its version. */
export function keywordSql(
  list: ListDefinition,
  keyword: string,
  column: string,
  parameters: Parameters,
): string {
  const contains = `${column} like ${parameters.add(containing(keyword))}::text`;
  const named = packageKeyword(list, keyword);
  if (named !== null) return `(${contains} or ${packageKeywordSql(named, column, parameters)})`;
  const number = numberOfKb(keyword);
  return number === null
    ? contains
    : `(${contains} or string_to_array(${column}, E'\\n') @> array[${parameters.add(number)}::text])`;
}

function numberOfKb(keyword: string): string | null {
  return /^kb(\d{5,})$/.exec(keyword)?.[1] ?? null;
}

/** A keyword may be the very name of a record: that one comes first while nobody has asked for another order. */
export function namesFirst(search: Search): boolean {
  return search.keyword !== '' && search.ownOrder && identityColumns(search.list).length > 0;
}

export function identityColumns(list: ListDefinition): readonly string[] {
  return list.identity
    .map((name) => columnsOfField(list, name))
    .flatMap(({ folded, storage }) => (storage.long ? [] : (folded ?? [])));
}

/** Tests that are met by the records whose name is the keyword, where those come first; null where none do. */
export function identityTests(search: Search, parameters: Parameters): string | null {
  return namesFirst(search) ? namedAs(search, parameters) : null;
}

export function identitySql(search: Search, parameters: Parameters): string {
  return `coalesce(${namedAs(search, parameters)}, false)`;
}

function namedAs({ list, keyword }: Search, parameters: Parameters): string {
  const number = numberOfKb(keyword);
  const names = [
    keyword,
    ...(number === null ? [] : [number]),
    ...(/^\d{5,}$/.test(keyword) ? [`kb${keyword}`] : []),
  ].map(foldedLine);
  const asked = `${parameters.add(arrayText(names))}::text[]`;
  return identityColumns(list)
    .map((column) => `${column} = any(${asked})`)
    .join(' or ');
}
