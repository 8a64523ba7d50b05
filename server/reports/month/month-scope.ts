/** The criteria of a month's lists, and the searches that count them. Every number of the page is the total of one of them. */
import { type CatalogueList, catalogueLists, getList } from '@patch/catalogue/lists.ts';
import type { VendorSourceKey } from '@patch/catalogue/sources.ts';
import type { CalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import type { UpdateCounts } from '../../records/search/update-counts.ts';

export const allPatches: CatalogueList = getList('all_patches');
/** The only list that says what was publicly known. */
export const windowsKbs: CatalogueList = getList('patch_repository');

/** A month, and the products that are asked for; null: all. */
export interface MonthScope {
  readonly month: CalendarMonth;
  readonly products: readonly string[] | null;
  readonly when: When;
}

export const releasedBetween = (from: number, to: number): FieldCriterion => ({
  paramName: 'releaseDate',
  operator: 'between',
  value: from,
  toValue: to - 1,
});

export const isOf = (paramName: string, values: readonly string[]): FieldCriterion => ({
  paramName,
  operator: 'in',
  value: [...values],
});

export const isTrue = (paramName: string): FieldCriterion => ({
  paramName,
  operator: 'equal',
  value: true,
});

export const isCritical: FieldCriterion = {
  paramName: 'ratedSeverity',
  operator: 'equal',
  value: 'Critical',
};

export const namesNoProduct: FieldCriterion = { paramName: 'release', operator: 'is_null' };

export const listsOfSource = (source: VendorSourceKey): FieldCriterion =>
  isOf(
    'list',
    catalogueLists.filter((list) => list.source === source).map(({ key }) => key),
  );

/** Returns criteria of All patches. `release` replaces the products of the scope, because a search compares a field once. */
export function monthCriteria(
  { month, products }: MonthScope,
  ...others: readonly FieldCriterion[]
): FieldCriterion[] {
  const has = (name: string) => others.some(({ paramName }) => paramName === name);
  return [
    ...(has('releaseDate') ? [] : [releasedBetween(month.from, month.to)]),
    ...(products === null || has('release') ? [] : [isOf('release', products)]),
    ...others,
  ];
}

export const countMonth = (
  counts: UpdateCounts,
  scope: MonthScope,
  ...others: readonly FieldCriterion[]
): Promise<Figure> => counts.countFigure(allPatches, monthCriteria(scope, ...others), scope.when);

/** Criteria of the list of KBs by product. */
export const publiclyKnownCriteria = ({ month, products }: MonthScope): FieldCriterion[] => [
  releasedBetween(month.from, month.to),
  isTrue('publiclyDisclosed'),
  ...(products === null ? [] : [isOf('productName', products)]),
];
