/** Fetches one plan. */
import { planEndpoint } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';

export const usePlan = (id: number) =>
  useQuery({
    queryKey: queryKeys.plans.one(id),
    queryFn: ({ signal }) => callApi(planEndpoint, { params: { id: String(id) }, signal }),
  });
