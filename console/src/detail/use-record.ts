/** One record of a list, with all its details. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { detailEndpoint } from '@patch/contract/detail-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';

export function useRecord(list: ListDefinition, id: number | undefined) {
  return useQuery({
    // Below the list's own key: when a sync ends, the open record is fetched again, too.
    queryKey: queryKeys.lists.record(list.key, id),
    queryFn: ({ signal }) => callApi(detailEndpoint(list), { params: { id: String(id) }, signal }),
    enabled: id !== undefined,
  });
}
