/** The numbers of a month, what changed in it, and which sources have read it. */
import { sourceLabels, vendorSourceKeys } from '@patch/catalogue/sources.ts';
import type { OwnProducts } from '@patch/contract/base/product-choice.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { Month, MonthSource } from '@patch/contract/reports/month-endpoints.ts';
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
  // All at once: they share the query for the revisions of the lists.
  const [
    everything,
    figure,
    exploited,
    publiclyKnown,
    critical,
    superseded,
    withoutProduct,
    days,
    sources,
    withdrawn,
    difference,
    feeds,
  ] = await Promise.all([
    countMonth(counts, all),
    count(),
    count(isTrue('exploited')),
    counts.countFigure(windowsKbs, publiclyKnownCriteria(scope), when),
    count(isCritical),
    count(isTrue('superseded')),
    countMonth(counts, all, namesNoProduct),
    countDays(counts, scope),
    countSources(counts, scope),
    readWithdrawn(database, scope),
    since === undefined ? null : readDifference({ database, counts }, scope, since),
    readMonthFeeds(database, readUntil),
  ]);
  return {
    month: month.key,
    from: month.from,
    to: month.to,
    countedAt: when.now,
    own,
    everything,
    figure,
    exploited,
    publiclyKnown,
    critical,
    superseded,
    withoutProduct,
    days,
    sources,
    withdrawn,
    difference,
    readUntil,
    feeds: [...feeds],
  };
}

async function readDifference(
  { database, counts }: MonthParts,
  scope: MonthScope,
  since: number,
): Promise<Month['difference']> {
  const [added, changed] = await Promise.all([
    countMonth(counts, scope, {
      paramName: 'createdTime',
      operator: 'greater_than_or_equal',
      value: since,
    }),
    readChangedSince(database, scope, since),
  ]);
  return { since, added, changed };
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
  return Promise.all(
    spans.map(async ({ label, span }) => ({
      label,
      figure: await countMonth(counts, scope, windows, releasedBetween(...span)),
    })),
  );
}

async function countSources(counts: UpdateCounts, scope: MonthScope): Promise<MonthSource[]> {
  const sources = await Promise.all(
    vendorSourceKeys.map(async (source) => {
      const count = (...others: readonly FieldCriterion[]) =>
        countMonth(counts, scope, listsOfSource(source), ...others);
      const figure = await count();
      if (figure.totalCount === 0) return [];
      const [exploited, critical, superseded] = await Promise.all([
        count(isTrue('exploited')),
        count(isCritical),
        count(isTrue('superseded')),
      ]);
      return [{ source, label: sourceLabels[source], figure, exploited, critical, superseded }];
    }),
  );
  return sources.flat();
}
