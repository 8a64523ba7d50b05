/** What an empty search would find without one of its criteria. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import {
  type RelaxedSearches,
  relaxedSearchEndpoint,
} from '@patch/contract/relaxed-search-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import type { RequestedSearch } from './asked-search.ts';
import { useAsked } from './use-list-page.ts';

interface KnownRelaxed {
  /** Undefined while it is not known, and when it cannot be told. */
  readonly found: RelaxedSearches | undefined;
  readonly isFetching: boolean;
}

export function useRelaxedSearches(
  list: ListDefinition,
  { criteria, keyword }: RequestedSearch,
): KnownRelaxed {
  const timeZone = useReaderZone();
  const asked = useAsked(list, { criteria, keyword });
  const { data, isFetching } = useQuery({
    queryKey: queryKeys.lists.relaxed(list.key, {
      criteria: writeCriteria(list, criteria),
      keyword,
      timeZone,
    }),
    queryFn: ({ signal }) => callApi(relaxedSearchEndpoint(list), { body: asked(), signal }),
    // It only adds to what the list says itself.
    retry: false,
    meta: { quiet: true },
  });
  return { found: data, isFetching };
}
