/** Counts the facets that are no fields of the rows, such as whether a machine has overdue records. */
import {
  getField,
  isCriterionOnly,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { FacetValue } from '@patch/contract/records/search-summary-endpoint.ts';
import type { SearchStore } from '../search/search-store.ts';
import type { SummaryRequest } from './summary-request.ts';

/** Returns the facets that are fields of the list, and those that only criteria know. */
export function splitFacets(list: ListDefinition, facets: readonly string[]) {
  const isCriterion = (name: string) => isCriterionOnly(list, name);
  return {
    fields: facets.filter((name) => !isCriterion(name)),
    criteria: facets.filter(isCriterion),
  };
}

/**
 * Returns by facet how many rows meet the criterion, among those that the other conditions of the search find. The others are no value: a machine
 * that is not judged is not known to have no overdue record.
 */
export async function countCriterionFacets(
  store: Pick<SearchStore, 'findIds'>,
  { search, facets }: Pick<SummaryRequest, 'search' | 'facets'>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, FacetValue[]>>> {
  const counted: Record<string, FacetValue[]> = {};
  for (const name of facets) {
    const others = search.conditions.filter((condition) => condition.name !== name);
    const definition = getField(search.list, name);
    const isMet: Condition = { kind: 'null', negated: true, name, definition };
    const met = await store.findIds({ ...search, conditions: [...others, isMet] }, signal);
    counted[name] = met.length === 0 ? [] : [{ value: true, count: met.length }];
  }
  return counted;
}
