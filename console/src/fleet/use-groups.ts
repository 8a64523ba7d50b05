/** Fetches the groups of machines. */
import { machineGroupsEndpoint } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';

/** @param enabled False: they are not needed yet. */
export const useGroups = (enabled = true) =>
  useQuery({
    queryKey: queryKeys.machineGroups.all(),
    queryFn: async ({ signal }) => (await callApi(machineGroupsEndpoint, { signal })).objList,
    enabled,
  });
