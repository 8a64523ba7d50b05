/** The home dashboard's figures. Each is the total of a search that its list supports too, counted the same way. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { dashboardEndpoint } from '@patch/contract/dashboard-endpoint.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { runsPage } from '../../ingest/sync/run-history-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { type SearchDesk, searchCallerOf } from '../../records/search/search-desk.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const runsShown = 10;
const endingWithin = 30 * day;
const silentAfter = 7 * day;

export interface DashboardRoutes {
  readonly database: Database;
  readonly clock: () => number;
  readonly desk: SearchDesk;
}

export function dashboardRoutes(
  route: RouteRegistrar,
  { database, clock, desk }: DashboardRoutes,
): void {
  route(dashboardEndpoint, (request) => {
    const { timeZone = 'UTC' } = request.query;
    refuseUnknownZone(timeZone);
    return desk.runLight(searchCallerOf(request), 'dashboard', () => figures(timeZone));
  });

  async function figures(timeZone: string) {
    // Rounded to the minute, so that requests within the same minute share one counted total.
    const now = Math.floor(clock() / minute) * minute;
    const figure = (list: ListDefinition, criteria: FieldCriterion[]) =>
      desk.counts.figure(list, criteria, { now, timeZone });
    const families = new Set<string>();
    const critical = catalogueLists.flatMap((list) => {
      const rating = criticalOf(list);
      // Lists of one source describe the same patches: the first one represents the family.
      if (rating === null || list.source === null || families.has(list.source)) return [];
      families.add(list.source);
      const since = (time: string): FieldCriterion[] => [
        rating,
        { paramName: 'releaseDate', operator: 'equal', value: time },
      ];
      return [{ list, last7Days: since('last_7_days'), last30Days: since('last_30_days') }];
    });
    const clients = catalogueLists.find(({ key }) => key === 'floto_user');
    if (clients === undefined) throw new Error('There is no list of licensed clients');
    const expiry = { paramName: 'licenseExpiry' } as const;
    return {
      critical: await Promise.all(
        critical.map(async ({ list, last7Days, last30Days }) => ({
          list: list.key,
          last7Days: await figure(list, last7Days),
          last30Days: await figure(list, last30Days),
        })),
      ),
      runs: [...(await runsPage(database, null, 0, runsShown)).runs],
      licencesEnding: await figure(clients, [
        { ...expiry, operator: 'between', value: now, toValue: now + endingWithin },
      ]),
      licencesEnded: await figure(clients, [{ ...expiry, operator: 'less_than', value: now }]),
      silentClients: await figure(clients, [
        { paramName: 'repoUpdatedOn', operator: 'less_than', value: now - silentAfter },
      ]),
      clients: await figure(clients, []),
    };
  }
}

/** The filter for the list's critical records; null if it has no severity or no release date. */
function criticalOf(list: ListDefinition): FieldCriterion | null {
  if (!list.searchable.includes('releaseDate')) return null;
  for (const [name, field] of Object.entries(list.fields)) {
    if (
      field.kind === 'choice' &&
      field.look === 'severity' &&
      field.choices?.includes('Critical') &&
      list.searchable.includes(name)
    ) {
      return { paramName: name, operator: 'equal', value: 'Critical' };
    }
  }
  return null;
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
