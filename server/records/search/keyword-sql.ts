/** How a keyword is searched: the tests that a row must pass, the patterns for the index of words, and the records whose name is the keyword. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { keywordName } from '@patch/contract/filter/keyword-terms.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { foldedLine } from '../../platform/database/stored-row.ts';
import { keywordParts, numberOfKb } from '../criteria/keyword-parts.ts';
import { indexablePattern, isIndexable, literally } from '../criteria/like-pattern.ts';
import { type PackageKeyword, packageKeyword } from '../criteria/package-keyword.ts';
import type { Search } from '../criteria/search-request.ts';
import { keywordPattern } from './condition-sql.ts';
import { type ListSample, rowsWithParts } from './list-sample-store.ts';
import type { Parameters } from './parameters.ts';

/** Patterns that are compared by the sample; of more words, those that look least selective are left out. */
const maxCompared = 8;

/**
 * The pattern by which the index of words is asked: of all words of the search the one for which it names the fewest rows, by the
 * sample. Null when there is none.
 */
export function selectivePattern(search: Search, sample: ListSample): string | null {
  const patterns = patternsOf(search)
    .toSorted((a, b) => selectivity(b) - selectivity(a))
    .slice(0, maxCompared);
  if (patterns.length < 2) return patterns[0] ?? null;
  const rows = new Map(patterns.map((pattern) => [pattern, rowsWithParts([pattern], sample)]));
  // Of equal ones the first stays first.
  return patterns.toSorted((a, b) => (rows.get(a) ?? 0) - (rows.get(b) ?? 0))[0] ?? null;
}

/** Each is met by every row that meets the search. */
function patternsOf({ list, keyword, conditions }: Search): readonly string[] {
  const patterns = [
    ...keywordParts(list, keyword).flatMap((part) => partPatterns(list, part)),
    ...conditions.map((condition) => keywordPattern(list, condition)),
  ];
  return [...new Set(patterns.filter((pattern) => pattern !== null))];
}

/** Each is met by every row that the part is met by. */
function partPatterns(list: ListDefinition, part: string): readonly (string | null)[] {
  const named = packageKeyword(list, part);
  // All of a version, not the longest number in it: 150500 is in every package of a release.
  if (named !== null)
    return [named.version, named.name].map((text) => (isIndexable(text) ? containing(text) : null));
  return [indexablePattern(containing(numberOfKb(part) ?? part))];
}

const selectivity = (pattern: string) =>
  (/\d/.test(pattern) && !/^%(19|20)\d\d%$/.test(pattern) ? 100 : 0) + pattern.length;

const containing = (text: string) => `%${literally(text)}%`;

/** The tests of a keyword, all of which a row must pass. */
export function keywordTests(
  list: ListDefinition,
  keyword: string,
  column: string,
  parameters: Parameters,
): string[] {
  return keywordParts(list, keyword).map((part) => partSql(list, part, column, parameters));
}

/** SQL conditions on a row's keyword: it holds the name and the version, each as a whole word. */
function packageKeywordSql(
  { name, version, whole }: PackageKeyword,
  column: string,
  parameters: Parameters,
): string {
  const words = `(E'\\n' || ${column} || E'\\n')`;
  const pattern = (text: string, end: string) =>
    `${parameters.add(`%\n${literally(text)}${end}%`)}::text`;
  // First and without alternatives, because the index of words can answer it.
  const candidate = `${column} like ${parameters.add(`%${literally(version)}%`)}::text`;
  return `(${candidate} and ${words} like ${pattern(name, '\n')} and ${words} like ${pattern(version, whole ? '\n' : '')})`;
}

/** A KB number is found with its letters or without, whichever way it was typed; a package by its name and its version. */
function partSql(
  list: ListDefinition,
  part: string,
  column: string,
  parameters: Parameters,
): string {
  const contains = `${column} like ${parameters.add(containing(part))}::text`;
  const named = packageKeyword(list, part);
  if (named !== null) return `(${contains} or ${packageKeywordSql(named, column, parameters)})`;
  const number = numberOfKb(part);
  return number === null
    ? contains
    : `(${contains} or string_to_array(${column}, E'\\n') @> array[${parameters.add(number)}::text])`;
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
  const name = keywordName(keyword);
  const number = numberOfKb(name);
  const names = [
    name,
    ...(number === null ? [] : [number]),
    ...(/^\d{5,}$/.test(name) ? [`kb${name}`] : []),
  ].map(foldedLine);
  const asked = `${parameters.add(arrayText(names))}::text[]`;
  return identityColumns(list)
    .map((column) => `${column} = any(${asked})`)
    .join(' or ');
}
