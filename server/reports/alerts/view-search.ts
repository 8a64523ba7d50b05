/** Asks a saved view for those of its records that have certain numbers: the new ones. */
import { fieldOf } from '@patch/catalogue/definition/list-definition.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { criteriaConditions } from '@patch/contract/filter/criteria-conditions.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import type { ViewSearch } from '@patch/contract/saved-view-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { createSearch, type Search } from '../../records/criteria/search-request.ts';
import { answerStatement } from '../../records/search/answer-statement.ts';
import type { RowSearch } from '../../records/search/restricted-search.ts';
import { UpdatesAnswer, updatesWithinSql } from '../../records/search/update-sql.ts';
import type { Span } from './alert-store.ts';

export type RequestedSearch = Pick<ViewSearch, 'criteria' | 'keyword'> &
  Partial<Pick<ViewSearch, 'sort'>>;

/** A record that is told, with how many of those that are new are about the same update, itself included. */
export interface FoundRecord {
  readonly row: WireRow;
  readonly recordsOfUpdate: number;
}

export interface FoundRecords {
  /** Of each update the first record, in the search's order. */
  readonly found: readonly FoundRecord[];
  readonly totalCount: number;
  /** One that several records are about counts once. */
  readonly updateCount: number;
}

export interface ViewSearchParts {
  readonly database: Queryable;
  readonly rowSearch: RowSearch;
  /** Whether the person may read restricted fields of lists now. */
  readonly seesRestricted: boolean;
}

/** The view as a search, with the time at which its relative dates are read. */
export type WhenOfView = When;

/** Throws an AppError when the list cannot be asked so (any more): a criterion less would find too much. */
function searchOfView(
  list: CatalogueList,
  { criteria, keyword, sort = null }: RequestedSearch,
  { most, when, seesRestricted }: { most: number; when: When; seesRestricted: boolean },
): Search {
  const read = readCriteria(list, criteria, when);
  if (read.refused[0] !== undefined)
    throw new AppError('unaskable_criteria', `${read.refused[0]}.`);
  return createSearch(
    list,
    { offset: 0, size: most, sort: sort ?? list.defaultSort },
    { conditions: criteriaConditions(list, read.criteria, when), keyword },
    seesRestricted,
  );
}

/** The numbers of the view's records that meet one more condition. */
export async function matchingIds(
  { rowSearch, seesRestricted }: ViewSearchParts,
  list: CatalogueList,
  requested: RequestedSearch,
  { condition, when }: { readonly condition: Condition; readonly when: When },
): Promise<readonly number[]> {
  const search = searchOfView(list, requested, { most: 1, when, seesRestricted });
  return rowSearch.store.matching({ ...search, conditions: [...search.conditions, condition] });
}

/** As many as a page of a search may have. */
const maxNumbered = 1000;

/** Of the records with these numbers, those that the view still shows; of each update the first, up to `most`. */
export async function recordsNumbered(
  { rowSearch, seesRestricted }: ViewSearchParts,
  list: CatalogueList,
  requested: RequestedSearch,
  {
    ids,
    most,
    when,
  }: { readonly ids: readonly number[]; readonly most: number; readonly when: When },
): Promise<FoundRecords> {
  const search = searchOfView(list, requested, { most: maxNumbered, when, seesRestricted });
  const numbered: Condition = {
    kind: 'oneOf',
    negated: false,
    values: ids.slice(0, maxNumbered),
    name: 'id',
    definition: fieldOf(list, 'id'),
  };
  const { rows } = await rowSearch.find({
    ...search,
    conditions: [...search.conditions, numbered],
  });
  const found = firstOfUpdates(list, JSON.parse(`[${rows}]`) as readonly WireRow[]);
  const left = Math.max(0, ids.length - maxNumbered);
  return {
    found: found.slice(0, most),
    totalCount: found.reduce((sum, { recordsOfUpdate }) => sum + recordsOfUpdate, left),
    updateCount: found.length + left,
  };
}

function firstOfUpdates(
  { countedBy }: CatalogueList,
  rows: readonly WireRow[],
): readonly FoundRecord[] {
  const byUpdate = Map.groupBy(rows, (row) =>
    countedBy === undefined ? row.id : (row[countedBy] ?? row.id),
  );
  return [...byUpdate.values()].flatMap((group) =>
    group[0] === undefined ? [] : [{ row: group[0], recordsOfUpdate: group.length }],
  );
}

/** Relative times are read at `when`. Throws an AppError when the list cannot be asked so (any more): a criterion less would tell too much. */
export async function recordsWithin(
  { database, rowSearch, seesRestricted }: ViewSearchParts,
  list: CatalogueList,
  requested: RequestedSearch,
  {
    spans,
    most,
    when,
    signal,
  }: {
    readonly spans: readonly Span[];
    readonly most: number;
    readonly when: When;
    readonly signal?: AbortSignal;
  },
): Promise<FoundRecords> {
  const search = searchOfView(list, requested, { most, when, seesRestricted });
  if (list.countedBy !== undefined) return updatesWithin(database, search, { spans, most, signal });
  const rows: WireRow[] = [];
  let total = 0;
  for (const span of spans) {
    const found = await rowSearch.find(within(search, span), signal);
    rows.push(...(JSON.parse(`[${found.rows}]`) as WireRow[]));
    total += found.total;
  }
  return {
    found: rows.slice(0, most).map((row) => ({ row, recordsOfUpdate: 1 })),
    totalCount: total,
    updateCount: total,
  };
}

async function updatesWithin(
  database: Queryable,
  search: Search,
  {
    spans,
    most,
    signal,
  }: {
    readonly spans: readonly Span[];
    readonly most: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<FoundRecords> {
  const statement = updatesWithinSql(search, { spans, most });
  const answer = await answerStatement(database, UpdatesAnswer, statement, signal);
  const rows = JSON.parse(`[${answer.rows ?? ''}]`) as (WireRow & {
    readonly recordsOfUpdate: number;
  })[];
  return {
    found: rows.map(({ recordsOfUpdate, ...row }) => ({ row: row as WireRow, recordsOfUpdate })),
    totalCount: answer.records,
    updateCount: answer.updates,
  };
}

function within(search: Search, [above, upTo]: Span): Search {
  const numbered: Condition = {
    kind: 'between',
    low: above + 1,
    high: upTo,
    name: 'id',
    definition: fieldOf(search.list, 'id'),
  };
  return { ...search, conditions: [...search.conditions, numbered] };
}

/** In order, those that touch or overlap joined, empty ones left out. */
export function joined(spans: readonly Span[]): readonly Span[] {
  const whole: Span[] = [];
  for (const [above, upTo] of spans
    .filter(([low, high]) => high > low)
    .toSorted(([one], [other]) => one - other)) {
    const last = whole.at(-1);
    if (last !== undefined && above <= last[1])
      whole[whole.length - 1] = [last[0], Math.max(last[1], upTo)];
    else whole.push([above, upTo]);
  }
  return whole;
}
