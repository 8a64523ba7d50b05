/** Fields of a list's facets and histogram. */
import {
  getField,
  isFilterable,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';

/** Returns the facets in the list's order, without fields that the user must not filter by. */
export function getFacets(list: ListDefinition): readonly string[] {
  return list.facets.filter((name) => isFilterable(list, name));
}

/** Returns the date of the default order, else the first date facet; undefined for a list without a date. */
export function findHistogramField(list: ListDefinition): string | undefined {
  const isDate = (name: string) => getField(list, name).kind === 'date' && isFilterable(list, name);
  return [list.defaultSort.replace(/^-/, ''), ...list.facets].find(isDate);
}
