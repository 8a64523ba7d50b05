/** The dashboard: what needs action first. Each figure is the total of a search that its list supports too, counted the same way. */
import { dashboardEndpoint, dashboardVisitEndpoint } from '@patch/contract/dashboard-endpoint.ts';
import { runsPage } from '../../ingest/sync/run-history-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { ListMemories } from '../../records/memory/list-memories.ts';
import { type SearchDesk, searchCallerOf } from '../../records/search/search-desk.ts';
import { SummaryDesk } from '../../records/summary/summary-desk.ts';
import { clientFigures } from './client-figures.ts';
import { newExploited } from './new-exploited.ts';
import { criticalByVendor, weeksOfPatches } from './record-figures.ts';
import { newSince, recordVisit } from './visit-store.ts';

const minute = 60_000;
const runsShown = 10;

export interface DashboardRoutes {
  readonly database: Database;
  readonly clock: () => number;
  readonly desk: SearchDesk;
  readonly memories: ListMemories;
}

export function dashboardRoutes(
  route: RouteRegistrar,
  { database, clock, desk, memories }: DashboardRoutes,
): void {
  const summaries = new SummaryDesk({ desk, memories, clock });
  route(dashboardEndpoint, async (request) => {
    const { timeZone = 'UTC' } = request.query;
    refuseUnknownZone(timeZone);
    // Rounded to the minute, so that requests within the same minute share what was counted.
    const when = { now: Math.floor(clock() / minute) * minute, timeZone };
    const caller = searchCallerOf(request);
    const since = await newSince(database, requireUser(request).id, when);
    // Summaries have turns of their own: one inside another could wait for itself.
    const critical = await criticalByVendor(summaries, caller, when);
    const weeks = await weeksOfPatches(summaries, caller, when);
    const counted = await desk.run(caller, async () => ({
      news: {
        since: since.time,
        sinceReason: since.reason,
        ...(await newExploited({ database, store: desk.store }, since.time, when)),
      },
      runs: [...(await runsPage(database, null, 0, runsShown)).runs],
      ...(await clientFigures(desk.counts, when)),
    }));
    return { critical, weeks, ...counted };
  });

  route(dashboardVisitEndpoint, async (request) => {
    const { timeZone = 'UTC' } = request.body;
    refuseUnknownZone(timeZone);
    await recordVisit(database, requireUser(request).id, { now: clock(), timeZone });
    return { recorded: true } as const;
  });
}

function refuseUnknownZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new AppError(
      'unknown_time_zone',
      `There is no time zone '${timeZone}'. Name one as IANA does: Europe/Istanbul.`,
    );
  }
}
