/** The JSON of a record as licensed clients get it. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type FieldColumns, tableColumnsOfList } from './list-columns.ts';

/** Returns SQL of the JSON text of a row of the list's view, or of a relation with its columns. */
export function wireRecordSql(
  list: ListDefinition,
  columns: readonly FieldColumns[] = tableColumnsOfList(list),
  withdrawnTime = 'withdrawn_time',
): string {
  const shown = columns.map(
    ({ field, column, storage }) =>
      `'${field}', ${storage.several ? `string_to_array(${column}, E'\\n')` : column}`,
  );
  return `concat('{"id":', id, ',"row":', json_build_object(${shown.join(', ')}), ',"detail":', coalesce(detail::text, '{}'),
    ',"firstSeenTime":', created_time, ',"changedTime":', updated_time, ',"withdrawnTime":', coalesce((${withdrawnTime})::text, 'null'), '}')`;
}
