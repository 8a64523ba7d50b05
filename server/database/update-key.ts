/** Which records are about the same update, in SQL. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { columnsOfField } from './list-columns.ts';

/** An expression over a row: equal for records of one update, within the lists of one source, and different for all others. */
export function updateKeySql(list: ListDefinition): string {
  const own = `'${list.key} ' || id`;
  if (list.countedBy === undefined) return own;
  const { column, folded } = columnsOfField(list, list.countedBy);
  return `coalesce(${folded ?? `${column}::text`}, ${own})`;
}
