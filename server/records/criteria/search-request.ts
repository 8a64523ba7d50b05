/** A search as it was asked, checked against its list: what is wrong is refused with what is allowed. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  fieldAsked,
  fieldOf,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import { checkFilter, valuesOfTest } from '@patch/contract/filter/check-filter.ts';
import {
  type Condition,
  FilterError,
  maxConditions,
  maxValues,
} from '@patch/contract/filter/filter-conditions.ts';
import { keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import { parseFilter } from '@patch/contract/filter/parse-filter.ts';
import type { SearchBody, SearchQuery } from '@patch/contract/search-endpoint.ts';
import { AppError } from '../../platform/errors/app-error.ts';

export interface SortKey {
  /** A field's own name, or id. */
  readonly field: string;
  readonly descending: boolean;
}

export interface Search {
  readonly list: ListDefinition;
  readonly conditions: readonly Condition[];
  /** Folded, with the quotes of its phrases; empty when it asks for nothing. See `keywordTerms`. */
  readonly keyword: string;
  /** At least one. */
  readonly sort: readonly SortKey[];
  /** Nobody has asked for an order: the list's own holds. */
  readonly ownOrder: boolean;
  readonly offset: number;
  readonly size: number;
  /** Whether the caller may read restricted fields; they are masked otherwise. */
  readonly seesRestricted: boolean;
  /** When the call arrived, by `performance.now()`: a revision that was read since then need not be read again. */
  readonly calledAt?: number;
}

/** All rows of the list are asked for. */
export const isWhole = ({ conditions, keyword }: Search): boolean =>
  conditions.length === 0 && keyword === '';

/** Throws an AppError; also for a condition or an order by a restricted field, unless the caller sees those. */
export function readSearch(
  list: ListDefinition,
  query: SearchQuery,
  body: SearchBody,
  seesRestricted = false,
): Search {
  const conditions = readFilter(list, body?.filter ?? '');
  const { keyword, includeFolded } = body ?? {};
  return createSearch(list, query, { conditions, keyword, includeFolded }, seesRestricted);
}

/** A search whose conditions are known without a filter text. Throws an AppError as `readSearch` does. */
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
    /** Also records that are folded under another one of the same update; in lists that fold some. */
    readonly includeFolded?: boolean | undefined;
  },
  seesRestricted = false,
): Search {
  assertAnswerable(conditions);
  const sort = readSort(list, query.sort ?? '');
  if (!seesRestricted) {
    const named = [...conditions.map(({ name }) => name), ...sort.map(({ field }) => field)];
    assertUnrestricted(list, named);
  }
  return {
    list,
    conditions: includeFolded ? conditions : withoutFolded(list, conditions),
    keyword: foldedKeyword(keyword ?? ''),
    sort: sort.length === 0 ? readSort(list, list.defaultSort) : sort,
    ownOrder: sort.length === 0,
    offset: query.offset,
    size: query.size,
    seesRestricted,
  };
}

/** In a list that folds the records of one update, only the record that stands for it meets the search. */
function withoutFolded(
  list: ListDefinition,
  conditions: readonly Condition[],
): readonly Condition[] {
  if (!Object.hasOwn(list.fields, 'folded')) return conditions;
  const definition = fieldOf(list, 'folded');
  return [
    ...conditions,
    { kind: 'compared', comparison: '=', value: false, name: 'folded', definition },
  ];
}

/** Words are separated by one blank, so that searches for the same words are the same search. */
function foldedKeyword(keyword: string): string {
  return keywordTerms(fold(keyword)).map(writeTerm).join(' ');
}

/** Throws an AppError when one of the fields is restricted. */
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

/** What the grammar of filter text refuses, criteria can still contain. */
function assertAnswerable(conditions: readonly Condition[]): void {
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

function readSort(list: ListDefinition, sort: string): readonly SortKey[] {
  if (sort.trim() === '') return [];
  const keys = sort.split(',').map((key): SortKey => {
    const asked = key.trim().replace(/^-/, '');
    const field = fieldAsked(list, asked);
    if (field === undefined) {
      const names = ['id', ...Object.keys(list.fields)].join(', ');
      throw new AppError(
        'unknown_sort',
        `Cannot sort by '${asked}'. Sortable fields: ${names}; a leading minus for descending.`,
      );
    }
    return { field, descending: key.trim().startsWith('-') };
  });
  // A field that is named twice is ordered by its first naming alone.
  return keys.filter((key, place) => keys.findIndex(({ field }) => field === key.field) === place);
}
