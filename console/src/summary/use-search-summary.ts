/** Facets and histogram of the search that is shown. Asked once for both, after the first rows; that of an earlier search is cancelled. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import {
  type SearchSummary,
  searchSummaryEndpoint,
} from '@patch/contract/search-summary-endpoint.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { histogramField } from './summary-fields.ts';

export interface SummarizedSearch {
  readonly list: ListDefinition;
  readonly criteria: readonly FieldCriterion[];
  readonly keyword: string;
  /** The search in its wire form, asked at the call so that relative times are of that moment. */
  readonly body: () => { readonly filter?: string; readonly keyword?: string };
  /** Whether the rows of the search are there. */
  readonly ready: boolean;
}

export interface ShownSummary {
  /** Undefined while the first one is on its way, and when it could not be loaded. */
  readonly summary: SearchSummary | undefined;
  /** The numbers of the search before, while those of this one are on their way. */
  readonly stale: boolean;
  readonly failed: boolean;
  readonly retry: () => void;
}

export function useSearchSummary(search: SummarizedSearch): ShownSummary {
  const { list, criteria, keyword, body, ready } = search;
  const timeZone = useReaderZone();
  const field = histogramField(list);
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
