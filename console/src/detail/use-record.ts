/** Fetches a record with its details. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { hasJustFailed } from '../api/failed-just-now.ts';
import { queryKeys } from '../api/query-keys.ts';

export const recordQuery = (list: ListDefinition, id: number | undefined) =>
  queryOptions({
    // Below the list's key, so that the end of a sync refetches the open record.
    queryKey: queryKeys.lists.record(list.key, id),
    queryFn: ({ signal }) => callApi(detailEndpoint(list), { params: { id: String(id) }, signal }),
  });

export function useRecord(list: ListDefinition, id: number | undefined) {
  return useQuery({
    ...recordQuery(list, id),
    enabled: ({ state }) => id !== undefined && !hasJustFailed(state),
  });
}
