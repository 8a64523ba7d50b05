/** What a list's summary is about: the fields that can be narrowed down beside it, and the date of its histogram. */
import {
  fieldOf,
  isFilterable,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';

/** In the list's order; what the person may not ask is left out. */
export function shownFacets(list: ListDefinition): readonly string[] {
  return list.facets.filter((name) => isFilterable(list, name));
}

/** The date of the list's default order, else its first date facet; undefined for a list without a date. */
export function histogramField(list: ListDefinition): string | undefined {
  const isDate = (name: string) => fieldOf(list, name).kind === 'date' && isFilterable(list, name);
  return [list.defaultSort.replace(/^-/, ''), ...list.facets].find(isDate);
}
