/** State of a list in its address, for sharing and for Back. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isSortable } from '@patch/catalogue/definition/restricted-fields.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { readCriteria, writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { ListPreference } from '@patch/contract/operations/preference-endpoints.ts';
import { z } from 'zod';

export const pageSizes = [10, 25, 50] as const;
export type PageSize = (typeof pageSizes)[number];
export const defaultPageSize: PageSize = 25;

/** The router parses `?keyword=5034441` as a number; this converts it back to text. */
const word = z
  .union([z.string(), z.number().transform(String), z.boolean().transform(String)])
  .optional()
  .catch(undefined);
const countFromOne = z.coerce.number().int().min(1).max(1_000_000_000).optional().catch(undefined);

/** Replaces missing and invalid parameters by their defaults. */
export const listSearchSchema = z.object({
  criteria: word,
  keyword: word,
  sort: word,
  page: countFromOne,
  size: z.coerce
    .number()
    .pipe(z.union(pageSizes.map((size) => z.literal(size))))
    .optional()
    .catch(undefined),
  /** Id of the record in the drawer; those of machines begin with the number of their client. */
  open: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
  /** Comma-separated field names: the columns of a shared link or a view. */
  columns: word,
  /** Id of the opened view; `all` prevents the default view from opening. */
  view: z
    .union([z.literal('all'), z.coerce.number().int().min(1).max(1_000_000_000_000)])
    .optional()
    .catch(undefined),
});
export type ListSearch = z.infer<typeof listSearchSchema>;

export interface ListState {
  readonly criteria: readonly FieldCriterion[];
  readonly keyword: string;
  /** Field name, with a leading minus for descending. */
  readonly sort: string;
  /** Begins at 1. */
  readonly page: number;
  readonly size: PageSize;
  readonly open: number | undefined;
  /** Undefined means the user's preference. */
  readonly columns: readonly string[] | undefined;
  readonly view: number | 'all' | undefined;
}

/**
 * Returns the view to open: the one in an address without other parameters, or `default` for a bare address. Returns null when
 * the address contains the search itself.
 */
export function getViewToOpen({ view, ...rest }: ListSearch): number | 'default' | null {
  if (view === 'all' || Object.values(rest).some((value) => value !== undefined)) return null;
  return view ?? 'default';
}

/** Parameters of the address take precedence over preferences, and these over the list's defaults. */
export function readListState(
  list: ListDefinition,
  search: ListSearch,
  when: When,
  preference: ListPreference = {},
): ListState & { readonly refused: readonly string[] } {
  const { criteria, refused } = readCriteria(list, search.criteria ?? '', when);
  const sort = search.sort !== undefined && isOrder(list, search.sort) ? search.sort : undefined;
  const size = search.size ?? pageSizes.find((offered) => offered === preference.pageSize);
  return {
    criteria,
    refused,
    keyword: search.keyword ?? '',
    sort: sort ?? getPreferredSort(list, preference),
    page: search.page ?? 1,
    size: size ?? defaultPageSize,
    open: search.open,
    columns: readColumns(list, search.columns),
    view: search.view,
  };
}

const isOrder = (list: ListDefinition, sort: string): boolean =>
  Object.hasOwn(list.compoundSorts, sort) || isSortable(list, sort.replace(/^-/, ''));

/** Returns the user's default order, else the one in which the list opens. */
export function getPreferredSort(list: ListDefinition, { sort }: ListPreference = {}): string {
  return sort !== undefined && isOrder(list, sort) ? sort : (list.opens?.sort ?? list.defaultSort);
}

/** Ignores names that are not columns of the list. */
function readColumns(list: ListDefinition, columns = ''): readonly string[] | undefined {
  const known = columns
    .split(',')
    .filter((name) => name === 'id' || Object.hasOwn(list.fields, name));
  return known.length === 0 ? undefined : [...new Set(known)];
}

/** Omits defaults, so that an unchanged list has a bare address. */
export function writeListState(
  list: ListDefinition,
  state: ListState,
  preference: ListPreference = {},
): ListSearch {
  const { criteria, keyword, sort, page, size, open, columns, view } = state;
  return {
    ...(criteria.length > 0 && { criteria: writeCriteria(list, criteria) }),
    ...(keyword !== '' && { keyword }),
    ...(sort !== getPreferredSort(list, preference) && { sort }),
    ...(page > 1 && { page }),
    ...(size !== defaultPageSize && { size }),
    ...(open !== undefined && { open }),
    ...(columns !== undefined && { columns: columns.join(',') }),
    ...(view !== undefined && { view }),
  };
}

/** Includes defaults, so that a shared link does not depend on preferences. */
export function writeFullState(
  list: ListDefinition,
  state: ListState,
  columns: readonly string[],
): ListSearch {
  const { sort, size } = state;
  return { ...writeListState(list, { ...state, columns }), sort, size };
}

export type Change = Partial<
  Pick<ListState, 'criteria' | 'keyword' | 'sort' | 'page' | 'size' | 'open' | 'columns' | 'view'>
>;

/** A new filter, order or page size returns to page 1; these and a new page close the drawer. */
export function applyChange(state: ListState, change: Change): ListState {
  const isReshaped =
    change.criteria !== undefined ||
    change.keyword !== undefined ||
    change.sort !== undefined ||
    change.size !== undefined;
  const isPageTurned = change.page !== undefined && !Object.hasOwn(change, 'open');
  return {
    criteria: change.criteria ?? state.criteria,
    keyword: change.keyword ?? state.keyword,
    sort: change.sort ?? state.sort,
    size: change.size ?? state.size,
    page: change.page ?? (isReshaped ? 1 : state.page),
    open: Object.hasOwn(change, 'open')
      ? change.open
      : isReshaped || isPageTurned
        ? undefined
        : state.open,
    columns: Object.hasOwn(change, 'columns') ? change.columns : state.columns,
    view: change.view ?? state.view,
  };
}

export const getLastPage = (totalCount: number, size: number): number =>
  Math.max(1, Math.ceil(totalCount / size));
