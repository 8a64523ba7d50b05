/** SQL statements of a search, and their execution. Names come only from the definition of the list, values are always parameters. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { restrictedMask } from '@patch/catalogue/definition/restricted-fields.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { DatabaseError } from '../../platform/database/database-error.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import {
  columnsOfField,
  columnsOfList,
  type FieldColumns,
} from '../../platform/database/rows/list-columns.ts';
import { searchedRelation } from '../../platform/database/searched-relation.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { conditionSql, Parameters } from '../criteria/condition-meaning.ts';
import { isRanked } from '../criteria/match-rank.ts';
import { matchesAllRows, type Search, type SortKey } from '../criteria/search-request.ts';
import { keywordTests, rankSql } from './keyword-sql.ts';
import { createCallerLeftError } from './search-limit.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export const RowsAnswer = z.object({
  /** JSON objects joined by commas; null without rows. */
  rows: z.string().nullable(),
});

export const PageAnswer = RowsAnswer.extend({ total: z.number() });

/** Checks only that `ids` is an array, because it can have millions of elements. */
export const IdsAnswer = z.object({ ids: z.custom<readonly number[]>(Array.isArray) });

/** Ids of rows that contain all matching ones; null: all rows of the list. */
export type Candidates = readonly number[] | null;

/** Reads the rows of a page and the exact total from one snapshot. */
export function pageSql(search: Search, candidates: Candidates = null): Statement {
  const { list, offset, size } = search;
  const parameters = new Parameters();
  const page = (from: string, order: string) =>
    `select id, row_number() over () as ordinal from (select id from ${from} order by ${order}
      limit ${parameters.add(size)}::bigint offset ${parameters.add(offset)}::bigint) as ordered`;
  if (matchesAllRows(search) && !isRanked(search)) {
    const listed = `(select listed from list_revision where list = ${parameters.add(list.key)})`;
    const from = `${searchedRelation(list)} where withdrawn_time is null`;
    const text = `select coalesce(${listed}, 0) as total, (${aggregatedRowsSql(search, page(from, orderSql(list, search.sort)))}) as rows`;
    return { text, values: parameters.values };
  }
  const columns = [...new Set(['id', ...search.sort.flatMap((key) => listSortColumns(list, key))])];
  const rank = isRanked(search) ? `, ${rankSql(search, parameters)} as match_rank` : '';
  const hits = `select ${columns.join(', ')}${rank} from ${searchedRelation(list)} where ${whereSql(search, parameters, candidates)}`;
  const order = `${rank === '' ? '' : 'match_rank, '}${orderSql(list, search.sort)}`;
  const text = `with hits as materialized (${hits})
    select (select count(*) from hits) as total, (${aggregatedRowsSql(search, page('hits', order))}) as rows`;
  return { text, values: parameters.values };
}

/** Reads the rows with these ids, in the order of the ids. */
export function rowsSql(search: Search, ids: readonly number[]): Statement {
  const parameters = new Parameters();
  const page = `select * from unnest(${parameters.add(arrayText(ids))}::bigint[]) with ordinality as wanted(id, ordinal)`;
  return {
    text: `select (${aggregatedRowsSql(search, page)}) as rows`,
    values: parameters.values,
  };
}

/** Reads the page of a search that matches the rows with these ids, each once. */
export function pageOfIdsSql(search: Search, ids: readonly number[]): Statement {
  const { list, offset, size } = search;
  const parameters = new Parameters();
  const order = rankedOrderSql(search, parameters);
  const page = `select id, row_number() over () as ordinal from (select id from ${searchedRelation(list)}
    join unnest(${parameters.add(arrayText(ids))}::bigint[]) as wanted(id) using (id) order by ${order}
    limit ${parameters.add(size)}::bigint offset ${parameters.add(offset)}::bigint) as ordered`;
  return { text: `select (${aggregatedRowsSql(search, page)}) as rows`, values: parameters.values };
}

/** Reads the ids of all matching rows, in the order of the search. */
export function idsSql(search: Search, candidates: Candidates = null): Statement {
  const parameters = new Parameters();
  const where = whereSql(search, parameters, candidates);
  const text = `select to_json(array(select id from ${searchedRelation(search.list)} where ${where} order by ${rankedOrderSql(search, parameters)})) as ids`;
  return { text, values: parameters.values };
}

/** Aggregates rows as JSON text. `page` is a query of their `id` and `ordinal`. */
export function aggregatedRowsSql(search: Search, page: string): string {
  return `select string_agg(to_json(r)::text, ',') from (select ${wireColumns(search)} from (${page}) as page
    join ${searchedRelation(search.list)} using (id) where withdrawn_time is null order by ordinal) as r`;
}

/** Returns the where clause of a search. */
export const whereSql = (
  search: Search,
  parameters: Parameters,
  candidates: Candidates = null,
): string =>
  [
    ...(candidates === null
      ? []
      : [`id = any(${parameters.add(arrayText(candidates))}::bigint[])`]),
    'withdrawn_time is null',
    ...searchTests(search, parameters),
  ].join(' and ');

/** Returns the tests of a search, which withdrawn records may pass too. */
export const searchTests = (
  { list, keyword, conditions }: Search,
  parameters: Parameters,
): readonly string[] => [
  ...keywordTests(list, keyword, parameters),
  ...conditions.map((condition) => conditionSql(list, condition, parameters)),
];

/** Rows without a value come last in both directions. Ties are ordered by id in the direction of the first key. */
export function orderSql(list: ListDefinition, sort: readonly SortKey[]): string {
  const keys = sort.map(({ field, descending, onlyIf }) => {
    if (field === 'id') return `id ${descending ? 'desc' : 'asc'}`;
    const { sorted } = columnsOfField(list, field);
    const value =
      onlyIf === undefined
        ? sorted
        : `case when ${columnsOfField(list, onlyIf).sorted} then ${sorted} end`;
    return `${value} ${descending ? 'desc' : 'asc'} nulls last`;
  });
  return sort.some(({ field }) => field === 'id')
    ? keys.join(', ')
    : [...keys, `id ${sort[0]?.descending === true ? 'desc' : 'asc'}`].join(', ');
}

/** Returns the order of a search: its rank, if it has one, before the keys. */
export const rankedOrderSql = (search: Search, parameters: Parameters): string =>
  `${isRanked(search) ? `${rankSql(search, parameters)}, ` : ''}${orderSql(search.list, search.sort)}`;

/** Returns the columns that the order by a key reads. */
const listSortColumns = (list: ListDefinition, { field, onlyIf }: SortKey): readonly string[] =>
  [field, ...(onlyIf === undefined ? [] : [onlyIf])].map((name) =>
    name === 'id' ? 'id' : columnsOfField(list, name).sortedFrom,
  );

/** Returns the select list of a row, with the names of the API. Sealed values are returned as stored. */
export function wireColumns({ list, sight }: Pick<Search, 'list' | 'sight'>): string {
  return [
    'id',
    ...columnsOfList(list).map((columns) => shownColumnSql(columns, sight.restricted)),
  ].join(', ');
}

function shownColumnSql(
  { field, column, storage, restricted }: FieldColumns,
  seesRestricted: boolean,
): string {
  if (restricted && !seesRestricted) return `'${restrictedMask}'::text as "${field}"`;
  return `${storage.several ? `string_to_array(${column}, E'\\n')` : column} as "${field}"`;
}

/** @throws AppError `search_too_expensive` after the statement timeout, `caller_left` when `signal` was aborted. */
export async function runStatement<Answer>(
  database: Queryable,
  schema: z.ZodType<Answer>,
  { text, values }: Statement,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    const limits = signal === undefined ? {} : { signal };
    const [answer] = await queryRows(database, schema, text, values, limits);
    if (answer === undefined) throw new Error('The statement of a search returned no row');
    return answer;
  } catch (error) {
    throw toAppError(error);
  }
}

function toAppError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (error.code === 'cancelled') return createCallerLeftError();
  if (error.code !== 'timeout') return error;
  return new AppError(
    'search_too_expensive',
    'PostgreSQL ended this search because it took too long. Use fewer conditions that look inside texts, or narrow it by a date or by a word that few records have.',
  );
}
