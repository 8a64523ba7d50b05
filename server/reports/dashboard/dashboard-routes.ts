/** Routes of the dashboard, which shows first what needs action. Each figure is the total of a search of its list. */
import {
  dashboardEndpoint,
  dashboardVisitEndpoint,
} from '@patch/contract/reports/dashboard-endpoint.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { getSearchCaller } from '../../records/search/search-service.ts';
import { SummaryService } from '../../records/summary/summary-service.ts';
import { readProductsOfUser } from '../products/products-of-user.ts';
import { readFirstRecord, readNewSince, recordVisit } from './dashboard-store.ts';
import { findNewExploited } from './new-exploited.ts';
import { rankUpdates } from './patch-first.ts';
import { countClientFigures, countCriticalByVendor, countPatchesByWeek } from './record-figures.ts';

const minute = 60_000;

type DashboardRoutes = Pick<RecordsContext, 'database' | 'clock' | 'searchService' | 'memories'>;

export function dashboardRoutes(
  route: RouteRegistrar,
  { database, clock, searchService, memories }: DashboardRoutes,
): void {
  const { store } = searchService;
  const summaries = new SummaryService({ searchService, memories, clock });
  route(dashboardEndpoint, async (request) => {
    const { timeZone = 'UTC', products } = request.query;
    refuseUnknownZone(timeZone);
    // Rounded to the minute, so that requests within the same minute share the counts.
    const when = { now: Math.floor(clock() / minute) * minute, timeZone };
    const caller = getSearchCaller(request);
    const userId = requireUser(request).id;
    const since = await readNewSince(database, userId, when.now);
    const own =
      products === 'all'
        ? null
        : await readProductsOfUser({ database, memories, store }, userId, request.sight);
    const firstRecord = await readFirstRecord(database);
    // Summaries pass their own admission control: nested in another turn they could wait for themselves.
    const critical = await countCriticalByVendor(summaries, caller, when);
    const weeks = await countPatchesByWeek(summaries, caller, when);
    const counted = await searchService.run(caller, async () => ({
      patchFirst: await rankUpdates({ database, store }, own, when, request.sight),
      news: {
        since: since.time,
        sinceReason: since.reason,
        isFirstSync: firstRecord !== null && firstRecord >= since.time,
        ...(await findNewExploited({ database, store }, since.time, when)),
      },
      ...(await countClientFigures(searchService.counts, when)),
    }));
    return { critical, weeks, ...counted };
  });

  route(dashboardVisitEndpoint, async (request) => {
    await recordVisit(database, requireUser(request).id, clock());
    return { recorded: true } as const;
  });
}

function refuseUnknownZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new AppError(
      'unknown_time_zone',
      `Unknown time zone '${timeZone}'. Use an IANA name such as Europe/Istanbul.`,
    );
  }
}
