/** Fetches facets and histogram of the current search in one call, after the first rows. Calls for earlier searches are cancelled. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import {
  type SearchSummary,
  searchSummaryEndpoint,
} from '@patch/contract/records/search-summary-endpoint.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { findHistogramField } from './summary-fields.ts';

export interface SummarizedSearch {
  readonly list: ListDefinition;
  readonly criteria: readonly FieldCriterion[];
  readonly keyword: string;
  /** Builds the request at the time of the call, so that relative times are current. */
  readonly body: () => { readonly filter?: string; readonly keyword?: string };
  /** True when the rows have arrived. */
  readonly ready: boolean;
}

export interface ShownSummary {
  /** Undefined before the first reply and after a failure. */
  readonly summary: SearchSummary | undefined;
  /** True while the numbers belong to the previous search. */
  readonly stale: boolean;
  readonly failed: boolean;
  readonly retry: () => void;
}

export function useSearchSummary(search: SummarizedSearch): ShownSummary {
  const { list, criteria, keyword, body, ready } = search;
  const timeZone = useReaderZone();
  const field = findHistogramField(list);
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeys.lists.summary(list.key, {
      criteria: writeCriteria(list, criteria),
      keyword,
      timeZone,
    }),
    queryFn: ({ signal }) =>
      callApi(searchSummaryEndpoint(list), {
        body: {
          ...body(),
          ...(field !== undefined && { histogram: { field, timeZone } }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: ready,
  });
  return {
    summary: data,
    stale: isPlaceholderData,
    failed: isError,
    retry: () => void refetch(),
  };
}
