/** Reads a search whose criteria are written like the address of its list, as saved views and groups of machines store them. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { criteriaConditions } from '@patch/contract/filter/criteria-conditions.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { ViewSearch } from '@patch/contract/records/saved-view-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Sight } from '../../platform/http/sight.ts';
import { createSearch, type Search } from './search-request.ts';

export type RequestedSearch = Pick<ViewSearch, 'criteria' | 'keyword'> &
  Partial<Pick<ViewSearch, 'sort'>>;

export interface SearchLimits {
  readonly most: number;
  /** The time and zone in which relative dates are evaluated. */
  readonly when: When;
  readonly signal?: AbortSignal;
}

/** @throws AppError `unaskable_criteria` when a criterion has become invalid: leaving it out would find too much. */
export function createViewSearch(
  list: CatalogueList,
  { criteria, keyword, sort = null }: RequestedSearch,
  { most, when, sight }: SearchLimits & { readonly sight: Sight },
): Search {
  const read = readCriteria(list, criteria, when);
  if (read.refused[0] !== undefined)
    throw new AppError('unaskable_criteria', `${read.refused[0]}.`);
  return createSearch(
    list,
    { offset: 0, size: most, sort: sort ?? list.defaultSort },
    { conditions: criteriaConditions(list, read.criteria, when), keyword },
    sight,
  );
}
