/** One record of a list, with all its details. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { detailCall } from '@patch/contract/detail-call.ts';
import { useQuery } from '@tanstack/react-query';
import { makeCall } from '../api/make-call.ts';

export function useRecord(list: ListDefinition, id: number | undefined) {
  return useQuery({
    // Below the list's own key: when a sync ends, the open record is fetched again, too.
    queryKey: ['list', list.key, 'record', id],
    queryFn: ({ signal }) => makeCall(detailCall(list), { params: { id: String(id) }, signal }),
    enabled: id !== undefined,
  });
}
