/** Route of the report of a group and a period. */
import { groupReportEndpoint } from '@patch/contract/reports/group-report-endpoint.ts';
import type { IngestContext } from '../../ingest/ingest-plugin.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { getSearchCaller } from '../../records/search/search-service.ts';
import { readGroupReport } from './read-group-report.ts';

export type GroupReportRoutes = Pick<RecordsContext, 'database' | 'clock' | 'searchService'> &
  Pick<IngestContext, 'states'>;

export function groupReportRoutes(
  route: RouteRegistrar,
  { database, clock, searchService, states }: GroupReportRoutes,
): void {
  const { store } = searchService;
  route(groupReportEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () =>
      readGroupReport(
        { database, store, states, now: clock() },
        request.query.group,
        request.query.days,
        request.sight,
      ),
    ),
  );
}
