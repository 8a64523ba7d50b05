/** Fetches and changes the user's alerts of saved views. */

import {
  type AlertSetting,
  alertsEndpoint,
  endAlertEndpoint,
  setAlertEndpoint,
  type ViewAlert,
} from '@patch/contract/reports/alert-endpoints.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';

const queryKey = queryKeys.alerts.all();
const staleTimeMs = 60_000;

export function useViewAlerts() {
  const queries = useQueryClient();
  const alerts = useQuery({
    ...apiQuery(queryKey, alertsEndpoint),
    staleTime: staleTimeMs,
  });
  const invalidation = { onSettled: () => queries.invalidateQueries({ queryKey }) };
  const set = useMutation({
    mutationFn: ({ view, setting }: { readonly view: number; readonly setting: AlertSetting }) =>
      callApi(setAlertEndpoint, { params: { id: String(view) }, body: setting }),
    onSuccess: ({ view }) => toast.success(`The alert of the view '${view.name}' has been set.`),
    // The form shows a refusal.
    meta: { quiet: true },
    ...invalidation,
  });
  const end = useMutation({
    mutationFn: (view: number) => callApi(endAlertEndpoint, { params: { id: String(view) } }),
    onSuccess: ({ message }) => toast.success(message),
    ...invalidation,
  });
  return {
    /** True once the alerts are loaded or have failed. */
    isReady: !alerts.isPending,
    findAlert: (view: number): ViewAlert | undefined =>
      alerts.data?.objList.find((alert) => alert.view.id === view),
    /** False while unknown, so that no warning is shown without cause. */
    mailMissing: alerts.data?.mailConfigured === false,
    set,
    end,
  };
}
