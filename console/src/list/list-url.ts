/** Everything that shapes a list, as its address holds it: what can be shared, and what Back restores. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isSortable } from '@patch/catalogue/definition/restricted-fields.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { readCriteria, writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { ListPreference } from '@patch/contract/preference-endpoints.ts';
import { z } from 'zod';

export const pageSizes = [10, 25, 50] as const;
export type PageSize = (typeof pageSizes)[number];
export const defaultPageSize: PageSize = 25;

/** The router reads `?keyword=5034441` as a number; it is a word all the same. */
const word = z
  .union([z.string(), z.number().transform(String), z.boolean().transform(String)])
  .optional()
  .catch(undefined);
const countFromOne = z.coerce.number().int().min(1).max(1_000_000_000).optional().catch(undefined);

/** What is missing, misspelt or out of range falls back to its default. */
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
  /** The record whose drawer is open. */
  open: countFromOne,
  /** Field names joined by commas, in their order: the columns of a shared link or of a view. */
  columns: word,
  /** The saved view that was opened, or `all` when none should open by default. */
  view: z
    .union([z.literal('all'), z.coerce.number().int().min(1).max(1_000_000_000_000)])
    .optional()
    .catch(undefined),
});
export type ListSearch = z.infer<typeof listSearchSchema>;

export interface ListState {
  readonly criteria: readonly FieldCriterion[];
  readonly keyword: string;
  /** A field, with a leading minus for descending. */
  readonly sort: string;
  /** From 1. */
  readonly page: number;
  readonly size: PageSize;
  readonly open: number | undefined;
  /** Undefined: as the person prefers. */
  readonly columns: readonly string[] | undefined;
  readonly view: number | 'all' | undefined;
}

/**
 * The view that opens by itself: of an address that names one and nothing else, that one; of an address that asks nothing, the
 * person's default. Null where the address says itself what is shown.
 */
export function viewToOpen({ view, ...asked }: ListSearch): number | 'default' | null {
  if (view === 'all' || Object.values(asked).some((value) => value !== undefined)) return null;
  return view ?? 'default';
}

/** What the address says holds; what it leaves open is as the person prefers it, else the list's own. */
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
    sort: sort ?? preferredSort(list, preference),
    page: search.page ?? 1,
    size: size ?? defaultPageSize,
    open: search.open,
    columns: readColumns(list, search.columns),
    view: search.view,
  };
}

const isOrder = (list: ListDefinition, sort: string): boolean =>
  isSortable(list, sort.replace(/^-/, ''));

/** The order of an address that names none: the person's own default, else the list's. */
export function preferredSort(list: ListDefinition, { sort }: ListPreference = {}): string {
  return sort !== undefined && isOrder(list, sort) ? sort : list.defaultSort;
}

/** What is no column of the list is left out. */
function readColumns(list: ListDefinition, columns = ''): readonly string[] | undefined {
  const known = columns
    .split(',')
    .filter((name) => name === 'id' || Object.hasOwn(list.fields, name));
  return known.length === 0 ? undefined : [...new Set(known)];
}

/** What is at its default is left out, so that an untouched list has a bare address. */
export function writeListState(
  list: ListDefinition,
  state: ListState,
  preference: ListPreference = {},
): ListSearch {
  const { criteria, keyword, sort, page, size, open, columns, view } = state;
  return {
    ...(criteria.length > 0 && { criteria: writeCriteria(list, criteria) }),
    ...(keyword !== '' && { keyword }),
    ...(sort !== preferredSort(list, preference) && { sort }),
    ...(page > 1 && { page }),
    ...(size !== defaultPageSize && { size }),
    ...(open !== undefined && { open }),
    ...(columns !== undefined && { columns: columns.join(',') }),
    ...(view !== undefined && { view }),
  };
}

/** For a link that shows others exactly this, whatever they prefer. */
export function writeWholeState(
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

/** Another filter, sort or page size begins at page 1; another page closes the drawer of a record that is no longer there. */
export function changedState(state: ListState, change: Change): ListState {
  const reshaped =
    change.criteria !== undefined ||
    change.keyword !== undefined ||
    change.sort !== undefined ||
    change.size !== undefined;
  const turned = change.page !== undefined && !Object.hasOwn(change, 'open');
  return {
    criteria: change.criteria ?? state.criteria,
    keyword: change.keyword ?? state.keyword,
    sort: change.sort ?? state.sort,
    size: change.size ?? state.size,
    page: change.page ?? (reshaped ? 1 : state.page),
    open: Object.hasOwn(change, 'open') ? change.open : reshaped || turned ? undefined : state.open,
    columns: Object.hasOwn(change, 'columns') ? change.columns : state.columns,
    view: change.view ?? state.view,
  };
}

export const lastPage = (totalCount: number, size: number): number =>
  Math.max(1, Math.ceil(totalCount / size));
