/** One record of a list, with everything that is known of it. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { detailCall } from '@patch/contract/detail-call.ts';
import { useQuery } from '@tanstack/react-query';
import { makeCall } from '../api/make-call.ts';

export function useRecord(list: ListDefinition, id: number | undefined) {
  return useQuery({
    // Below the list's own key: a sync that ends asks for the open record anew, too.
    queryKey: ['list', list.key, 'record', id],
    queryFn: ({ signal }) => makeCall(detailCall(list), { params: { id: String(id) }, signal }),
    enabled: id !== undefined,
  });
}
