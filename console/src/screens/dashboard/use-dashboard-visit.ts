/** Notes on the server that the person looks at the dashboard, once each time it is opened. */
import { dashboardVisitEndpoint } from '@patch/contract/dashboard-endpoint.ts';
import { useEffect } from 'react';
import { callApi } from '../../api/call-api.ts';

export function useDashboardVisit(timeZone: string): void {
  useEffect(() => {
    // Not noted: tomorrow more is told as new than is.
    callApi(dashboardVisitEndpoint, { body: { timeZone } }).catch(() => undefined);
  }, [timeZone]);
}
