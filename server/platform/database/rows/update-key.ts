/** SQL that groups the records of one update. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { columnsOfField } from './list-columns.ts';

/** Returns the column with the name of a record's update; null if each record is a separate update. */
export function updateColumn(list: ListDefinition): string | null {
  if (list.countedBy === undefined) return null;
  const { column, folded } = columnsOfField(list, list.countedBy);
  return folded ?? `${column}::text`;
}

/** Returns an expression over a row that is equal for records of one update, within the lists of one source. */
export function updateKeySql(list: ListDefinition): string {
  const own = `'${list.key} ' || id`;
  const column = updateColumn(list);
  return column === null ? own : `coalesce(${column}, ${own})`;
}
