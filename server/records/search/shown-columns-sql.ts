/** The columns of a row as a reply shows them. */
import { restrictedMask } from '@patch/catalogue/definition/restricted-fields.ts';
import { columnsOfList, type FieldColumns } from '../../platform/database/list-columns.ts';
import type { Search } from '../criteria/search-request.ts';

/** What the wire shows of a row, by the wire's names. Sealed values come as they are stored. */
export function wireColumns({
  list,
  seesRestricted,
}: Pick<Search, 'list' | 'seesRestricted'>): string {
  return ['id', ...columnsOfList(list).map((columns) => shownColumn(columns, seesRestricted))].join(
    ', ',
  );
}

function shownColumn(
  { field, column, storage, restricted }: FieldColumns,
  seesRestricted: boolean,
): string {
  if (restricted && !seesRestricted) return `'${restrictedMask}'::text as "${field}"`;
  return `${storage.several ? `string_to_array(${column}, E'\\n')` : column} as "${field}"`;
}
