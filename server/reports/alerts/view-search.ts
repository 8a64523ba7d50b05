/** Searches a saved view for records with certain ids, such as the new ones. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import type { Sight } from '../../platform/http/sight.ts';
import type { Search } from '../../records/criteria/search-request.ts';
import {
  createViewSearch,
  type RequestedSearch,
  type SearchLimits,
} from '../../records/criteria/view-criteria.ts';
import type { RowSearch } from '../../records/search/search-service.ts';
import { runStatement } from '../../records/search/search-sql.ts';
import { UpdatesAnswer, updatesWithinSql } from '../../records/search/update-sql.ts';
import type { Span } from './alert-store.ts';

/** A reported record, and how many of the new records describe the same update, itself included. */
export interface FoundRecord {
  readonly row: WireRow;
  readonly recordsOfUpdate: number;
}

export interface FoundRecords {
  /** The first record of each update, in the order of the search. */
  readonly found: readonly FoundRecord[];
  readonly totalCount: number;
  /** An update that several records describe counts once. */
  readonly updateCount: number;
}

export interface ViewSearchParts {
  readonly database: Queryable;
  readonly rowSearch: RowSearch;
  /** The person's sight at the time of the search. */
  readonly sight: Sight;
}

/** Returns the ids of the view's records that also satisfy the condition. */
export async function findMatchingIds(
  { rowSearch, sight }: ViewSearchParts,
  list: CatalogueList,
  requested: RequestedSearch,
  { condition, when }: { readonly condition: Condition; readonly when: When },
): Promise<readonly number[]> {
  const search = createViewSearch(list, requested, { most: 1, when, sight });
  return rowSearch.store.findIds({ ...search, conditions: [...search.conditions, condition] });
}

/** The maximum page size of a search. */
const maxIds = 1000;

/** Returns those of the records with these ids that the view still shows: the first of each update, up to `most`. */
export async function findRecordsById(
  { rowSearch, sight }: ViewSearchParts,
  list: CatalogueList,
  requested: RequestedSearch,
  { ids, most, when }: SearchLimits & { readonly ids: readonly number[] },
): Promise<FoundRecords> {
  const search = createViewSearch(list, requested, { most: maxIds, when, sight });
  const idCondition: Condition = {
    kind: 'oneOf',
    negated: false,
    values: ids.slice(0, maxIds),
    name: 'id',
    definition: getField(list, 'id'),
  };
  const { rows } = await rowSearch.find({
    ...search,
    conditions: [...search.conditions, idCondition],
  });
  const found = firstByUpdate(list, JSON.parse(`[${rows}]`) as readonly WireRow[]);
  const left = Math.max(0, ids.length - maxIds);
  return {
    found: found.slice(0, most),
    totalCount: found.reduce((sum, { recordsOfUpdate }) => sum + recordsOfUpdate, left),
    updateCount: found.length + left,
  };
}

function firstByUpdate(
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

/**
 * Returns the view's records whose ids lie in the spans. Relative dates are evaluated at `when`.
 * @throws AppError as `createViewSearch` does.
 */
export async function findRecordsInSpans(
  { database, rowSearch, sight }: ViewSearchParts,
  list: CatalogueList,
  requested: RequestedSearch,
  { spans, most, when, signal }: SearchLimits & { readonly spans: readonly Span[] },
): Promise<FoundRecords> {
  const search = createViewSearch(list, requested, { most, when, sight });
  if (list.countedBy !== undefined) {
    const statement = updatesWithinSql(search, { spans, most });
    return toFoundRecords(await runStatement(database, UpdatesAnswer, statement, signal));
  }
  const rows: WireRow[] = [];
  let total = 0;
  for (const span of spans) {
    const found = await rowSearch.find(withinSpan(search, span), signal);
    rows.push(...(JSON.parse(`[${found.rows}]`) as WireRow[]));
    total += found.total;
  }
  return {
    found: rows.slice(0, most).map((row) => ({ row, recordsOfUpdate: 1 })),
    totalCount: total,
    updateCount: total,
  };
}

function toFoundRecords(answer: z.infer<typeof UpdatesAnswer>): FoundRecords {
  const rows = JSON.parse(`[${answer.rows ?? ''}]`) as (WireRow & {
    readonly recordsOfUpdate: number;
  })[];
  return {
    found: rows.map(({ recordsOfUpdate, ...row }) => ({ row: row as WireRow, recordsOfUpdate })),
    totalCount: answer.records,
    updateCount: answer.updates,
  };
}

function withinSpan(search: Search, [above, upTo]: Span): Search {
  const idCondition: Condition = {
    kind: 'between',
    low: above + 1,
    high: upTo,
    name: 'id',
    definition: getField(search.list, 'id'),
  };
  return { ...search, conditions: [...search.conditions, idCondition] };
}

/** Sorts the spans, joins those that touch or overlap, and drops empty ones. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const [above, upTo] of spans
    .filter(([low, high]) => high > low)
    .toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last !== undefined && above <= last[1])
      result[result.length - 1] = [last[0], Math.max(last[1], upTo)];
    else result.push([above, upTo]);
  }
  return result;
}
