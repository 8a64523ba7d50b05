/** One record of a list, with all its details. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { detailEndpoint } from '@patch/contract/detail-endpoint.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { failedJustNow } from '../api/failed-just-now.ts';
import { queryKeys } from '../api/query-keys.ts';

export const recordQuery = (list: ListDefinition, id: number | undefined) =>
  queryOptions({
    // Below the list's own key: when a sync ends, the open record is fetched again, too.
    queryKey: queryKeys.lists.record(list.key, id),
    queryFn: ({ signal }) => callApi(detailEndpoint(list), { params: { id: String(id) }, signal }),
  });

export function useRecord(list: ListDefinition, id: number | undefined) {
  return useQuery({
    ...recordQuery(list, id),
    enabled: ({ state }) => id !== undefined && !failedJustNow(state),
  });
}
