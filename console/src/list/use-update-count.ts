/** How many updates the records of a list's search are about, where several can be about one; undefined while it is not known. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import { updateCountEndpoint } from '@patch/contract/update-count-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import type { ListState } from './list-url.ts';
import { useAsked } from './use-list-page.ts';

/** `totalCount` of the search, once it is answered: the count is of the same records, or it is not told. */
export function useUpdateCount(
  list: ListDefinition,
  state: ListState,
  totalCount: number | undefined,
): number | undefined {
  const { criteria, keyword } = state;
  const timeZone = useReaderZone();
  const asked = useAsked(list, state);
  const { data } = useQuery({
    queryKey: queryKeys.lists.updateCount(
      list.key,
      { criteria: writeCriteria(list, criteria), keyword, timeZone },
      totalCount,
    ),
    queryFn: ({ signal }) => callApi(updateCountEndpoint(list), { body: asked(), signal }),
    enabled: list.countedBy !== undefined && totalCount !== undefined && totalCount > 1,
    // The list itself says when it cannot be asked.
    meta: { quiet: true },
  });
  return data?.totalCount === totalCount ? data?.updateCount : undefined;
}
