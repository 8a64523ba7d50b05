/** Records on the server that the user opened the dashboard, once per opening. */
import { dashboardVisitEndpoint } from '@patch/contract/dashboard-endpoint.ts';
import { useEffect } from 'react';
import { callApi } from '../../api/call-api.ts';

export function useDashboardVisit(): void {
  useEffect(() => {
    // A failure is ignored: at the next visit, some old items count as new.
    callApi(dashboardVisitEndpoint, {}).catch(() => undefined);
  }, []);
}
