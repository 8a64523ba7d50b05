/** Queries for a licensed client and its missing updates. Every action refreshes the client in its list. */

import {
  clientExposureEndpoint,
  type LicensedClient,
  licensedClientEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';

export function useClient(id: number) {
  return useQuery({
    queryKey: queryKeys.clients.detail(id),
    queryFn: ({ signal }) =>
      callApi(licensedClientEndpoint, { params: { id: String(id) } as never, signal }),
  });
}

export function useExposure(id: number) {
  return useQuery({
    queryKey: queryKeys.clients.exposure(id),
    queryFn: ({ signal }) =>
      callApi(clientExposureEndpoint, { params: { id: String(id) } as never, signal }),
  });
}

export function useRefreshClient(): (client: LicensedClient) => Promise<void> {
  const queries = useQueryClient();
  return async (client) => {
    queries.setQueryData(queryKeys.clients.detail(client.id), client);
    await queries.invalidateQueries({ queryKey: queryKeys.clients.all() });
    await queries.invalidateQueries({ queryKey: queryKeys.dashboard.all() });
  };
}
