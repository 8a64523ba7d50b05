/** Fetches what an empty search would find without one of its criteria. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import {
  type RelaxedSearches,
  relaxedSearchEndpoint,
} from '@patch/contract/records/relaxed-search-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import type { RequestedSearch } from '../criteria/typed-search.ts';
import { useSearchBody } from '../pages/use-list-page.ts';

interface RelaxedSearchesState {
  /** Undefined while loading and after a failure. */
  readonly found: RelaxedSearches | undefined;
  readonly isFetching: boolean;
}

export function useRelaxedSearches(
  list: ListDefinition,
  { criteria, keyword }: RequestedSearch,
): RelaxedSearchesState {
  const timeZone = useReaderZone();
  const buildBody = useSearchBody(list, { criteria, keyword });
  const { data, isFetching } = useQuery({
    queryKey: queryKeys.lists.relaxed(list.key, {
      criteria: writeCriteria(list, criteria),
      keyword,
      timeZone,
    }),
    queryFn: ({ signal }) => callApi(relaxedSearchEndpoint(list), { body: buildBody(), signal }),
    // Optional information: a failure is not shown.
    retry: false,
    meta: { quiet: true },
  });
  return { found: data, isFetching };
}
