/** A licensed client as it stands, and what it lacks; whatever is done with it is seen in its list at once. */
import { clientExposureCall, type LicensedClient, licensedClientCall } from '@patch/contract/licensed-client-calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { makeCall } from '../api/make-call.ts';

const keyOf = (id: number) => ['list', 'floto_user', 'client', id] as const;

export function useClient(id: number) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => makeCall(licensedClientCall, { params: { id: String(id) } as never, signal }),
  });
}

export function useExposure(id: number) {
  return useQuery({
    queryKey: [...keyOf(id), 'exposure'],
    queryFn: ({ signal }) => makeCall(clientExposureCall, { params: { id: String(id) } as never, signal }),
  });
}

export function useClientChanged(): (client: LicensedClient) => Promise<void> {
  const queries = useQueryClient();
  return async (client) => {
    queries.setQueryData(keyOf(client.id), client);
    await queries.invalidateQueries({ queryKey: ['list', 'floto_user'] });
    await queries.invalidateQueries({ queryKey: ['dashboard'] });
  };
}
