/** Which records are about the same update, in SQL. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { columnsOfField } from './list-columns.ts';

/** The column with the name of the update that a record is about; null where each record is one of its own. */
export function updateColumn(list: ListDefinition): string | null {
  if (list.countedBy === undefined) return null;
  const { column, folded } = columnsOfField(list, list.countedBy);
  return folded ?? `${column}::text`;
}

/** An expression over a row: equal for records of one update, within the lists of one source, and different for all others. */
export function updateKeySql(list: ListDefinition): string {
  const own = `'${list.key} ' || id`;
  const column = updateColumn(list);
  return column === null ? own : `coalesce(${column}, ${own})`;
}
