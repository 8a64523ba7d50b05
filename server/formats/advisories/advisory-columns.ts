import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { identifierField } from '@patch/catalogue/formats/csaf-lists.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';

/** The columns of the field that names an advisory. */
export function advisoryColumns(list: ListDefinition) {
  const { column, folded } = columnsOfField(list, identifierField(list));
  return { column, folded: folded ?? column };
}
