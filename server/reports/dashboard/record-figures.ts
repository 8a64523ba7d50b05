/** Counts the patches of all vendors, critical ones by vendor and the last weeks by severity, and licensed clients that need attention. */
import { getList } from '@patch/catalogue/lists.ts';
import { type Severity, severities } from '@patch/catalogue/schemas/severities.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { dayAt } from '@patch/contract/dates/zoned-day.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { SearchSummary } from '@patch/contract/records/search-summary-endpoint.ts';
import type {
  ClientFigures,
  CriticalOfVendor,
  Figure,
  WeekOfPatches,
} from '@patch/contract/reports/dashboard-endpoint.ts';
import type { SearchCaller } from '../../records/search/search-limit.ts';
import { createCriteriaSearch, type UpdateCounts } from '../../records/search/update-counts.ts';
import type { SummaryService } from '../../records/summary/summary-service.ts';

const allPatches = getList('all_patches');
export const weeksShown = 12;
/** Third-party applications come from many vendors. */
const vendorsShown = 8;

const figure = (criteria: FieldCriterion[], count: number): Figure => ({
  list: allPatches.key,
  criteria,
  totalCount: count,
  updateCount: count,
});

/** Returns the largest counts first. Vendors beyond `vendorsShown` are summed at the end without a name. */
export async function countCriticalByVendor(
  summaries: SummaryService,
  caller: SearchCaller,
  when: When,
): Promise<CriticalOfVendor[]> {
  const critical: FieldCriterion[] = [
    { paramName: 'ratedSeverity', operator: 'equal', value: 'Critical' },
    { paramName: 'releaseDate', operator: 'equal', value: 'last_30_days' },
  ];
  const { facets, totalCount } = await readSummary(summaries, caller, when, critical, {
    facets: ['vendor'],
    histogram: null,
  });
  const vendors = (facets['vendor'] ?? []).flatMap(({ value, count }) =>
    typeof value === 'string' ? [{ vendor: value, count }] : [],
  );
  const shown = vendors.slice(0, vendorsShown);
  const figures = shown.map(
    ({ vendor, count }): CriticalOfVendor => ({
      vendor,
      figure: figure(
        [{ paramName: 'vendor', operator: 'equal', value: vendor }, ...critical],
        count,
      ),
    }),
  );
  const others = totalCount - shown.reduce((sum, { count }) => sum + count, 0);
  if (others === 0) return figures;
  const otherVendors: FieldCriterion = {
    paramName: 'vendor',
    operator: 'not_in',
    value: shown.map(({ vendor }) => vendor),
  };
  return [...figures, { vendor: null, figure: figure([otherVendors, ...critical], others) }];
}

/** Returns the oldest week first; the last one is the current week. */
export async function countPatchesByWeek(
  summaries: SummaryService,
  caller: SearchCaller,
  when: When,
): Promise<WeekOfPatches[]> {
  const weeks = weeksUntil(when);
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { histogram } = await readSummary(
    summaries,
    caller,
    when,
    [releasedBetween(first.from, last.to)],
    { facets: [], histogram: 'releaseDate' },
  );
  const buckets = histogram?.buckets ?? [];
  return weeks.map(({ from, to }) => {
    // Buckets are days, or weeks that begin on the same day.
    const own = buckets.filter((bucket) => bucket.from >= from && bucket.from < to);
    const released = releasedBetween(from, to);
    const countSeverity = (severity: Severity) =>
      own.reduce((sum, { bySeverity }) => sum + (bySeverity[severity] ?? 0), 0);
    return {
      from,
      to,
      figure: figure(
        [released],
        own.reduce((sum, { count }) => sum + count, 0),
      ),
      severities: severities.flatMap((severity) => {
        const count = countSeverity(severity);
        const criteria: FieldCriterion[] = [
          { paramName: 'ratedSeverity', operator: 'equal', value: severity },
          released,
        ];
        return count === 0 ? [] : [{ severity, figure: figure(criteria, count) }];
      }),
    };
  });
}

const releasedBetween = (from: number, to: number): FieldCriterion => ({
  paramName: 'releaseDate',
  operator: 'between',
  value: from,
  toValue: to - 1,
});

/** Returns calendar weeks from Monday up to the start of the next, the last one containing today in the person's zone. */
export function weeksUntil({ now, timeZone }: When): readonly { from: number; to: number }[] {
  const { year, month, day } = dayAt(now, timeZone);
  const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  const monday = (week: number) => Date.UTC(year, month - 1, day - sinceMonday + 7 * week);
  return Array.from({ length: weeksShown }, (_, index) => {
    const week = index - weeksShown + 1;
    return { from: monday(week), to: monday(week + 1) };
  });
}

async function readSummary(
  summaries: SummaryService,
  caller: SearchCaller,
  when: When,
  criteria: readonly FieldCriterion[],
  counted: { readonly facets: readonly string[]; readonly histogram: string | null },
): Promise<SearchSummary> {
  const text = await summaries.summary(caller, {
    search: createCriteriaSearch(allPatches, criteria, when),
    timeZone: when.timeZone,
    ...counted,
  });
  return SearchSummary.parse(JSON.parse(text));
}

const clients = getList('floto_user');
const dayMs = 86_400_000;
const expiryWindowMs = 30 * dayMs;
const silentAfterMs = 7 * dayMs;

export async function countClientFigures(counts: UpdateCounts, when: When): Promise<ClientFigures> {
  const { now } = when;
  const count = (criteria: FieldCriterion[]) => counts.countFigure(clients, criteria, when);
  const expiry = { paramName: 'licenseExpiry' } as const;
  return {
    licencesEnding: await count([
      { ...expiry, operator: 'between', value: now, toValue: now + expiryWindowMs },
    ]),
    licencesEnded: await count([{ ...expiry, operator: 'less_than', value: now }]),
    silentClients: await count([
      { paramName: 'repoUpdatedOn', operator: 'less_than', value: now - silentAfterMs },
    ]),
    clients: await count([]),
  };
}
