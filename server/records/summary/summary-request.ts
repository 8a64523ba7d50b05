/** A summary as it was asked for, checked against its list. */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { SummaryBody } from '@patch/contract/search-summary-endpoint.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';

export interface SummaryRequest {
  readonly search: Search;
  readonly facets: readonly string[];
  /** Null: no histogram is asked for. */
  readonly histogram: string | null;
  readonly timeZone: string;
}

/** Throws an AppError for a filter that `readSearch` refuses, and for a field that is no facet or no date of the list. */
export function readSummary(
  list: ListDefinition,
  body: SummaryBody,
  seesRestricted: boolean,
): SummaryRequest {
  const { facets, histogram, ...searched } = body ?? {};
  const search = readSearch(list, { offset: 0, size: 1 }, searched, seesRestricted);
  const allowed = list.facets.filter((name) => !isRestricted(list, name));
  const other = facets?.find((name) => !allowed.includes(name));
  if (other !== undefined)
    throw new AppError(
      'unknown_field',
      `'${other}' is no facet of ${list.label}. Facets: ${allowed.join(', ') || 'none'}.`,
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
      fieldOf(list, field).kind === 'date' &&
      fieldOf(list, field).stamped === undefined &&
      !isRestricted(list, field),
  );
  if (!dates.includes(name))
    throw new AppError(
      'unknown_field',
      `'${name}' is no date of ${list.label}. A histogram shows one of: ${dates.join(', ') || 'none'}.`,
    );
}
