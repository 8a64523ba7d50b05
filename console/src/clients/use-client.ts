/** A licensed client as it stands, and what it lacks; whatever is done with it is seen in its list at once. */
import {
  clientExposureEndpoint,
  type LicensedClient,
  licensedClientEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';

const keyOf = (id: number) => ['list', 'floto_user', 'client', id] as const;

export function useClient(id: number) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) =>
      callApi(licensedClientEndpoint, { params: { id: String(id) } as never, signal }),
  });
}

export function useExposure(id: number) {
  return useQuery({
    queryKey: [...keyOf(id), 'exposure'],
    queryFn: ({ signal }) =>
      callApi(clientExposureEndpoint, { params: { id: String(id) } as never, signal }),
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
