/** Finds records whose name equals the keyword of a search, because they come first in the default order. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { keywordName } from '@patch/contract/filter/keyword-terms.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { truncateFolded } from '../../platform/database/stored-row.ts';
import { parseKbNumber } from './keyword-parts.ts';
import type { Search } from './search-request.ts';

/** Returns true when records whose name equals the keyword come first: in the default order of lists with a short name field. */
export function ranksNameMatches(search: Search): boolean {
  return search.keyword !== '' && search.usesDefaultSort && getNameColumns(search.list).length > 0;
}

/** Returns the folded columns of the names of a list, without long texts and sealed values. */
export function getNameColumns(list: ListDefinition): readonly string[] {
  return list.identity
    .map((name) => columnsOfField(list, name))
    .flatMap(({ folded, storage, sealed }) => (storage.long || sealed ? [] : (folded ?? [])));
}

/** Returns the folded names that a keyword can stand for: `kb5034441` also stands for `5034441`, and the reverse. */
export function getMatchingNames({ keyword }: Pick<Search, 'keyword'>): readonly string[] {
  const name = keywordName(keyword);
  const number = parseKbNumber(name);
  return [
    name,
    ...(number === null ? [] : [number]),
    ...(/^\d{5,}$/.test(name) ? [`kb${name}`] : []),
  ].map(truncateFolded);
}
