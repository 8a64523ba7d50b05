/** SQL of a keyword: the tests that a row must pass, and the test for records whose name equals it. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { parseKbNumber, splitKeyword } from '../criteria/keyword-parts.ts';
import { escapeLike } from '../criteria/like-pattern.ts';
import { getMatchingNames, getNameColumns } from '../criteria/name-matches.ts';
import { type PackageKeyword, parsePackageKeyword } from '../criteria/package-keyword.ts';
import type { Parameters } from '../criteria/parameters.ts';
import type { Search } from '../criteria/search-request.ts';

const containing = (text: string) => `%${escapeLike(text)}%`;

/** Returns the tests of a keyword. A row must pass all of them. */
export function keywordTests(
  list: ListDefinition,
  keyword: string,
  parameters: Parameters,
): string[] {
  return splitKeyword(list, keyword).map((part) => partSql(list, part, parameters));
}

/** Tests that the words of a row include the name and the version of a package. */
function packageKeywordSql(
  { name, version, isComplete }: PackageKeyword,
  parameters: Parameters,
): string {
  const words = `(E'\\n' || keyword || E'\\n')`;
  const pattern = (text: string, end: string) =>
    `${parameters.add(`%\n${escapeLike(text)}${end}%`)}::text`;
  // Fails for most rows, so that their words are not joined.
  const candidate = `keyword like ${parameters.add(`%${escapeLike(version)}%`)}::text`;
  return `(${candidate} and ${words} like ${pattern(name, '\n')} and ${words} like ${pattern(version, isComplete ? '\n' : '')})`;
}

/** Finds a KB with or without its letters, and a package by its name and version. */
function partSql(list: ListDefinition, part: string, parameters: Parameters): string {
  const contains = `keyword like ${parameters.add(containing(part))}::text`;
  const pasted = parsePackageKeyword(list, part);
  if (pasted !== null) return `(${contains} or ${packageKeywordSql(pasted, parameters)})`;
  const number = parseKbNumber(part);
  if (number === null) return contains;
  // Fails for most rows, so that their lines are not split.
  const candidate = `keyword like ${parameters.add(containing(number))}::text`;
  return `(${candidate} and (${contains} or string_to_array(keyword, E'\\n') @> array[${parameters.add(number)}::text]))`;
}

/** Tests that a name of the record equals the keyword. */
export function identityTest(search: Search, parameters: Parameters): string {
  const names = `${parameters.add(arrayText(getMatchingNames(search)))}::text[]`;
  const tests = getNameColumns(search.list).map((column) => `${column} = any(${names})`);
  return `coalesce(${tests.join(' or ')}, false)`;
}
