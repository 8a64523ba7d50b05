/** The records whose name is the keyword of a search. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { keywordName } from '@patch/contract/filter/keyword-terms.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { foldedLine } from '../../platform/database/stored-row.ts';
import { numberOfKb } from './keyword-parts.ts';
import type { Search } from './search-request.ts';

/** A keyword may be the very name of a record: that one comes first while nobody has asked for another order. */
export function namesFirst(search: Search): boolean {
  return search.keyword !== '' && search.ownOrder && identityColumns(search.list).length > 0;
}

export function identityColumns(list: ListDefinition): readonly string[] {
  return list.identity
    .map((name) => columnsOfField(list, name))
    .flatMap(({ folded, storage }) => (storage.long ? [] : (folded ?? [])));
}

/** The folded names of the records that a keyword names. */
export function namesAsked({ keyword }: Pick<Search, 'keyword'>): readonly string[] {
  const name = keywordName(keyword);
  const number = numberOfKb(name);
  return [
    name,
    ...(number === null ? [] : [number]),
    ...(/^\d{5,}$/.test(name) ? [`kb${name}`] : []),
  ].map(foldedLine);
}
