/** One record of a list, with all its details. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { detailEndpoint } from '@patch/contract/detail-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';

export function useRecord(list: ListDefinition, id: number | undefined) {
  return useQuery({
    // Below the list's own key: when a sync ends, the open record is fetched again, too.
    queryKey: ['list', list.key, 'record', id],
    queryFn: ({ signal }) => callApi(detailEndpoint(list), { params: { id: String(id) }, signal }),
    enabled: id !== undefined,
  });
}
