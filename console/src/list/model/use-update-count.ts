/** Fetches the number of distinct updates in a search, for lists in which several records share an update. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import { updateCountEndpoint } from '@patch/contract/records/update-count-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import type { ListState } from '../address/list-url.ts';
import { useSearchBody } from '../pages/use-list-page.ts';

/** @param totalCount - Total of the search. Undefined is returned unless the count belongs to the same total. */
export function useUpdateCount(
  list: ListDefinition,
  state: ListState,
  totalCount: number | undefined,
): number | undefined {
  const { criteria, keyword } = state;
  const timeZone = useReaderZone();
  const buildBody = useSearchBody(list, state);
  const { data } = useQuery({
    queryKey: queryKeys.lists.updateCount(
      list.key,
      { criteria: writeCriteria(list, criteria), keyword, timeZone },
      totalCount,
    ),
    queryFn: ({ signal }) => callApi(updateCountEndpoint(list), { body: buildBody(), signal }),
    enabled: list.countedBy !== undefined && totalCount !== undefined && totalCount > 1,
    // The list itself shows the failure.
    meta: { quiet: true },
  });
  return data?.totalCount === totalCount ? data?.updateCount : undefined;
}
