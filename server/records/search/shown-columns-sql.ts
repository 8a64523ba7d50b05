/** SQL of the columns of a row in a reply. */
import { restrictedMask } from '@patch/catalogue/definition/restricted-fields.ts';
import { columnsOfList, type FieldColumns } from '../../platform/database/list-columns.ts';
import type { Search } from '../criteria/search-request.ts';

/** Returns the select list of a row, with the names of the API. Sealed values are returned as stored. */
export function wireColumns({
  list,
  seesRestricted,
}: Pick<Search, 'list' | 'seesRestricted'>): string {
  return [
    'id',
    ...columnsOfList(list).map((columns) => shownColumnSql(columns, seesRestricted)),
  ].join(', ');
}

function shownColumnSql(
  { field, column, storage, restricted }: FieldColumns,
  seesRestricted: boolean,
): string {
  if (restricted && !seesRestricted) return `'${restrictedMask}'::text as "${field}"`;
  return `${storage.several ? `string_to_array(${column}, E'\\n')` : column} as "${field}"`;
}
