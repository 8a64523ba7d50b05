/** Parses and validates the request of a summary against its list. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { SummaryBody } from '@patch/contract/records/search-summary-endpoint.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Sight } from '../../platform/http/sight.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';

export interface SummaryRequest {
  readonly search: Search;
  readonly facets: readonly string[];
  /** Date field of the histogram; null without a histogram. */
  readonly histogram: string | null;
  readonly timeZone: string;
}

/** @throws AppError as `readSearch` does, and `unknown_field` for a facet or date that the list does not have. */
export function readSummary(list: ListDefinition, body: SummaryBody, sight: Sight): SummaryRequest {
  const { facets, histogram, ...searched } = body ?? {};
  const search = readSearch(list, { offset: 0, size: 1 }, searched, sight);
  const allowed = list.facets.filter((name) => !isRestricted(list, name));
  const unknown = facets?.find((name) => !allowed.includes(name));
  if (unknown !== undefined)
    throw new AppError(
      'unknown_field',
      `${list.label} has no facet '${unknown}'. Facets: ${allowed.join(', ') || 'none'}.`,
    );
  if (histogram !== null && histogram !== undefined) assertDate(list, histogram.field);
  return {
    search,
    facets: [...new Set(facets ?? allowed)],
    histogram: histogram?.field ?? null,
    timeZone: histogram?.timeZone ?? 'UTC',
  };
}

function assertDate(list: ListDefinition, name: string): void {
  const dates = Object.keys(list.fields).filter(
    (field) =>
      getField(list, field).kind === 'date' &&
      getField(list, field).stamped === undefined &&
      !isRestricted(list, field),
  );
  if (!dates.includes(name))
    throw new AppError(
      'unknown_field',
      `${list.label} has no date '${name}'. Dates: ${dates.join(', ') || 'none'}.`,
    );
}
