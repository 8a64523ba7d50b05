/** Parses and validates a search against its list. Errors name the allowed values. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  getField,
  isCriterionOnly,
  type ListDefinition,
  resolveField,
} from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted, isSealed } from '@patch/catalogue/definition/restricted-fields.ts';
import { findCompoundSort, readSortKeys } from '@patch/catalogue/definition/sort-fields.ts';
import { checkFilter, valuesOfTest } from '@patch/contract/filter/check-filter.ts';
import {
  type Condition,
  FilterError,
  maxConditions,
  maxValues,
} from '@patch/contract/filter/filter-conditions.ts';
import { keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import { parseFilter } from '@patch/contract/filter/parse-filter.ts';
import type { SearchBody, SearchQuery } from '@patch/contract/records/search-endpoint.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { type Sight, unlimitedSight } from '../../platform/http/sight.ts';
import { isComputed } from './computed-criteria.ts';

export interface SortKey {
  /** Name of a field of the list, or `id`. */
  readonly field: string;
  readonly descending: boolean;
  /** Rows of which this flag is not true count as rows without a value. */
  readonly onlyIf?: string;
}

export interface Search {
  readonly list: ListDefinition;
  readonly conditions: readonly Condition[];
  /** Folded, with the quotes of its phrases; empty without a keyword. See `keywordTerms`. */
  readonly keyword: string;
  /** Has at least one key. */
  readonly sort: readonly SortKey[];
  /** The request has no order, so `sort` is the default of the list. */
  readonly usesDefaultSort: boolean;
  /** The best matches come first: the order is the default, or the one with which the list opens. */
  readonly ranksMatches: boolean;
  /** Records that another replaces come last where matches are ranked, also without a keyword. Some orders of a list say so. */
  readonly ranksCurrent?: boolean;
  readonly offset: number;
  readonly size: number;
  readonly sight: Sight;
  /** Arrival of the request, by `performance.now()`. A revision that was read since then is current. */
  readonly calledAt?: number;
}

/** Returns true when the search matches every row of the list. */
export const matchesAllRows = ({ conditions, keyword }: Search): boolean =>
  conditions.length === 0 && keyword === '';

/**
 * Reads a search from a request.
 *
 * @throws AppError with the code of the `FilterError`, `too_many`, `unknown_sort`, or `restricted_field` when a condition or the order
 * uses a field that the caller may not read.
 */
export function readSearch(
  list: ListDefinition,
  query: SearchQuery,
  body: SearchBody,
  sight: Sight = unlimitedSight,
): Search {
  const conditions = readFilter(list, body?.filter ?? '');
  const { keyword, includeFolded } = body ?? {};
  return createSearch(list, query, { conditions, keyword, includeFolded }, sight);
}

/** Creates a search from parsed conditions. @throws AppError as `readSearch` does. */
export function createSearch(
  list: ListDefinition,
  query: SearchQuery,
  {
    conditions,
    keyword,
    includeFolded = false,
  }: {
    readonly conditions: readonly Condition[];
    readonly keyword?: string | null | undefined;
    /** Includes records that are folded under another record of the same update. */
    readonly includeFolded?: boolean | undefined;
  },
  sight: Sight = unlimitedSight,
): Search {
  assertWithinLimits(conditions);
  const sort = readSort(list, query.sort ?? '');
  const ranksCurrent = findCompoundSort(list, query.sort ?? '')?.currentFirst === true;
  if (!sight.restricted) {
    const fields = [
      ...conditions.map(({ name }) => name),
      ...sort.flatMap(({ field, onlyIf }) => [field, ...(onlyIf === undefined ? [] : [onlyIf])]),
    ];
    assertUnrestricted(list, fields);
  }
  return {
    list,
    conditions:
      includeFolded || findsFolded(list, conditions) ? conditions : excludeFolded(list, conditions),
    keyword: foldKeyword(keyword ?? ''),
    sort: sort.length === 0 ? readSort(list, list.defaultSort) : sort,
    usesDefaultSort: sort.length === 0,
    ranksMatches: sort.length === 0 || isOpeningSort(list, query.sort ?? '') || ranksCurrent,
    ...(ranksCurrent && { ranksCurrent }),
    offset: query.offset,
    size: query.size,
    sight,
  };
}

/** Returns the search in this order of its list, whose first records are the best matches. @throws AppError `unknown_sort` */
export const sortSearch = (search: Search, sort: string): Search => ({
  ...search,
  sort: readSort(search.list, sort),
  usesDefaultSort: false,
  ranksMatches: true,
  ranksCurrent: true,
});

/** A machine misses the record for its product, whichever represents the update. */
const findsFolded = (list: ListDefinition, conditions: readonly Condition[]): boolean =>
  conditions.some(
    ({ name, definition }) => definition.ofUpdates !== true && isComputed(list, name),
  );

/** In a list that folds the records of one update, limits the search to the record that represents it. */
function excludeFolded(
  list: ListDefinition,
  conditions: readonly Condition[],
): readonly Condition[] {
  if (!Object.hasOwn(list.fields, 'folded')) return conditions;
  const definition = getField(list, 'folded');
  return [
    ...conditions,
    { kind: 'compared', comparison: '=', value: false, name: 'folded', definition },
  ];
}

/** Separates words by one blank, so that searches for the same words share a cache key. */
export function foldKeyword(keyword: string): string {
  return keywordTerms(fold(keyword)).map(writeTerm).join(' ');
}

/** @throws AppError `restricted_field` when one of the fields is restricted. */
export function assertUnrestricted(list: ListDefinition, names: readonly string[]): void {
  const restricted = names.find((name) => isRestricted(list, name));
  if (restricted === undefined) return;
  const allowed = [
    'id',
    ...Object.keys(list.fields).filter((name) => !isRestricted(list, name)),
  ].join(', ');
  throw new AppError(
    'restricted_field',
    `Only administrators, and their API keys with the scope clients, may filter or sort by '${restricted}'. Fields that you may use: ${allowed}.`,
  );
}

/** Applies the limits of filter texts to conditions that come from criteria. */
function assertWithinLimits(conditions: readonly Condition[]): void {
  const values = conditions.map(valuesOfTest);
  if (conditions.length > maxConditions || values.some(({ length }) => length > maxValues))
    throw new AppError(
      'too_many',
      `A search has at most ${maxConditions} conditions, and each at most ${maxValues} values. Drop some.`,
    );
  if (values.flat().some((value) => typeof value === 'string' && value.includes('\0')))
    throw new AppError('syntax', 'A value contains the character U+0000, which is not allowed.');
}

function readFilter(list: ListDefinition, filter: string): readonly Condition[] {
  try {
    return checkFilter(list, parseFilter(filter));
  } catch (error) {
    if (error instanceof FilterError) throw new AppError(error.code, error.message);
    throw error;
  }
}

const isOpeningSort = ({ opens, compoundSorts }: ListDefinition, sort: string): boolean =>
  opens?.sort !== undefined && [opens.sort, compoundSorts[opens.sort]?.fields].includes(sort);

function readSort(list: ListDefinition, sort: string): readonly SortKey[] {
  if (sort.trim() === '') return [];
  const keys = readSortKeys(list, sort).map(({ name, descending, onlyIf }): SortKey => {
    const field = resolveSortField(list, name);
    const flag = onlyIf === undefined ? undefined : resolveSortField(list, onlyIf);
    const isConditional = flag !== undefined && getField(list, flag).kind === 'flag';
    if (field !== undefined && (onlyIf === undefined || isConditional))
      return { field, descending, ...(flag !== undefined && { onlyIf: flag }) };
    const fields = Object.keys(list.fields).filter((own) => !isSealed(list, own));
    const names = ['id', ...fields, ...Object.keys(list.compoundSorts)].join(', ');
    throw new AppError(
      'unknown_sort',
      `Cannot sort by '${onlyIf === undefined ? name : `${name} if ${onlyIf}`}'. Sortable fields: ${names}; a leading minus for descending.`,
    );
  });
  // The first key of a field decides; later ones have no effect.
  return keys.filter(
    ({ field, onlyIf }, index) =>
      !keys
        .slice(0, index)
        .some((key) => key.field === field && (key.onlyIf === undefined || key.onlyIf === onlyIf)),
  );
}

/** Returns the field of a sort key, by any of its names; undefined when the list cannot be sorted by it. */
function resolveSortField(list: ListDefinition, name: string): string | undefined {
  const field = resolveField(list, name);
  return field === undefined || isCriterionOnly(list, field) || isSealed(list, field)
    ? undefined
    : field;
}

/** Returns the same key for searches that match the same rows of all machines. Ignores page and order. */
export function getSearchKey({ list, conditions, keyword }: Search): string {
  // Omits the definition, which follows from the list and the name of the field.
  return JSON.stringify([list.key, keyword, conditions], (name, value: unknown) =>
    name === 'definition' ? undefined : value,
  );
}
