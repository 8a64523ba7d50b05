/** The numbers of a month, what changed in it, and which sources have read it. */
import { sourceLabels, vendorSourceKeys } from '@patch/catalogue/sources.ts';
import type { Month, MonthSource } from '@patch/contract/month-endpoints.ts';
import type { OwnProducts } from '@patch/contract/product-choice.ts';
import type { Database } from '../../platform/database/database.ts';
import type { UpdateCounts } from '../../records/search/update-counts.ts';
import { readChangedSince, readWithdrawn } from './month-change-store.ts';
import { readMonthFeeds, toReadUntil } from './month-feeds.ts';
import {
  countMonth,
  isCritical,
  isTrue,
  listsOfSource,
  type MonthScope,
  namesNoProduct,
  publiclyKnownCriteria,
  releasedBetween,
  windowsKbs,
} from './month-scope.ts';

export interface MonthParts {
  readonly database: Database;
  readonly counts: UpdateCounts;
}

export async function readMonth(
  { database, counts }: MonthParts,
  scope: MonthScope,
  own: OwnProducts | null,
  since: number | undefined,
): Promise<Month> {
  const { month, when } = scope;
  const count = (...others: Parameters<typeof countMonth>[2][]) =>
    countMonth(counts, scope, ...others);
  const all: MonthScope = { ...scope, products: null };
  const readUntil = toReadUntil(month, when.now);
  return {
    month: month.key,
    from: month.from,
    to: month.to,
    own,
    everything: await countMonth(counts, all),
    figure: await count(),
    exploited: await count(isTrue('exploited')),
    publiclyKnown: await counts.countFigure(windowsKbs, publiclyKnownCriteria(scope), when),
    critical: await count(isCritical),
    superseded: await count(isTrue('superseded')),
    withoutProduct: await countMonth(counts, all, namesNoProduct),
    days: await countDays(counts, scope),
    sources: await countSources(counts, scope),
    withdrawn: await readWithdrawn(database, scope),
    difference:
      since === undefined
        ? null
        : {
            since,
            added: await count({
              paramName: 'createdTime',
              operator: 'greater_than_or_equal',
              value: since,
            }),
            changed: await readChangedSince(database, scope, since),
          },
    readUntil,
    feeds: [...(await readMonthFeeds(database, readUntil))],
  };
}

async function countDays(counts: UpdateCounts, scope: MonthScope): Promise<Month['days']> {
  const { from, to, tuesday, wednesday } = scope.month;
  const day = new Date(tuesday).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  const windows = listsOfSource('wsus');
  const spans = [
    { label: `before ${day}`, span: [from, tuesday] },
    { label: `on ${day}`, span: [tuesday, wednesday] },
    { label: `after ${day}`, span: [wednesday, to] },
  ] as const;
  const days: Month['days'] = [];
  for (const { label, span } of spans)
    days.push({
      label,
      figure: await countMonth(counts, scope, windows, releasedBetween(...span)),
    });
  return days;
}

async function countSources(counts: UpdateCounts, scope: MonthScope): Promise<MonthSource[]> {
  const sources: MonthSource[] = [];
  for (const source of vendorSourceKeys) {
    const lists = listsOfSource(source);
    const figure = await countMonth(counts, scope, lists);
    if (figure.totalCount === 0) continue;
    sources.push({
      source,
      label: sourceLabels[source],
      figure,
      exploited: await countMonth(counts, scope, lists, isTrue('exploited')),
      critical: await countMonth(counts, scope, lists, isCritical),
      superseded: await countMonth(counts, scope, lists, isTrue('superseded')),
    });
  }
  return sources;
}
