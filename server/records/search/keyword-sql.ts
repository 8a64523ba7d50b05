/** SQL of a keyword: the tests that a row must pass, and the records whose name is the keyword. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { keywordParts, numberOfKb } from '../criteria/keyword-parts.ts';
import { literally } from '../criteria/like-pattern.ts';
import { identityColumns, namesAsked } from '../criteria/named-records.ts';
import { type PackageKeyword, packageKeyword } from '../criteria/package-keyword.ts';
import type { Parameters } from '../criteria/parameters.ts';
import type { Search } from '../criteria/search-request.ts';

const containing = (text: string) => `%${literally(text)}%`;

/** The tests of a keyword, all of which a row must pass. */
export function keywordTests(
  list: ListDefinition,
  keyword: string,
  parameters: Parameters,
): string[] {
  return keywordParts(list, keyword).map((part) => partSql(list, part, parameters));
}

/** SQL conditions on a row's keyword: it holds the name and the version, each as a whole word. */
function packageKeywordSql(
  { name, version, whole }: PackageKeyword,
  parameters: Parameters,
): string {
  const words = `(E'\\n' || keyword || E'\\n')`;
  const pattern = (text: string, end: string) =>
    `${parameters.add(`%\n${literally(text)}${end}%`)}::text`;
  // First and without alternatives, because the index of words can answer it.
  const candidate = `keyword like ${parameters.add(`%${literally(version)}%`)}::text`;
  return `(${candidate} and ${words} like ${pattern(name, '\n')} and ${words} like ${pattern(version, whole ? '\n' : '')})`;
}

/** A KB number is found with its letters or without, whichever way it was typed; a package by its name and its version. */
function partSql(list: ListDefinition, part: string, parameters: Parameters): string {
  const contains = `keyword like ${parameters.add(containing(part))}::text`;
  const named = packageKeyword(list, part);
  if (named !== null) return `(${contains} or ${packageKeywordSql(named, parameters)})`;
  const number = numberOfKb(part);
  if (number === null) return contains;
  // First and without alternatives, as above.
  const candidate = `keyword like ${parameters.add(containing(number))}::text`;
  return `(${candidate} and (${contains} or string_to_array(keyword, E'\\n') @> array[${parameters.add(number)}::text]))`;
}

/** Met by the records whose name is the keyword. */
export function identityTest(search: Search, parameters: Parameters): string {
  const names = `${parameters.add(arrayText(namesAsked(search)))}::text[]`;
  const tests = identityColumns(search.list).map((column) => `${column} = any(${names})`);
  return `coalesce(${tests.join(' or ')}, false)`;
}
