/** The statements of a search, one for each question. Names come from the list's definition only, values are parameters only. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { searchedRelation } from '../../platform/database/searched-relation.ts';
import { conditionSql } from '../criteria/condition-meaning.ts';
import { namesFirst } from '../criteria/named-records.ts';
import { Parameters } from '../criteria/parameters.ts';
import { isWhole, type Search, type SortKey } from '../criteria/search-request.ts';
import { identityTest, keywordTests } from './keyword-sql.ts';
import { wireColumns } from './shown-columns-sql.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The text is the same for all searches of the list. */
  readonly keepsPlan?: boolean;
}

export const RowsAnswer = z.object({
  /** JSON objects joined by commas; null when there are none. */
  rows: z.string().nullable(),
});

export const PageAnswer = RowsAnswer.extend({ total: z.number() });

/** Millions of numbers are not looked at one by one. */
export const IdsAnswer = z.object({ ids: z.custom<readonly number[]>(Array.isArray) });

/** A page's rows and the exact total, at one moment. */
export function pageSql(search: Search): Statement {
  const { list, sort, offset, size } = search;
  const parameters = new Parameters();
  const page = (from: string, order: string) =>
    `select id, row_number() over () as place from (select id from ${from} order by ${order}
      limit ${parameters.add(size)}::bigint offset ${parameters.add(offset)}::bigint) as ordered`;
  if (isWhole(search)) {
    const listed = `(select listed from list_revision where list = ${parameters.add(list.key)})`;
    const from = `${searchedRelation(list)} where withdrawn_time is null`;
    const text = `select coalesce(${listed}, 0) as total, (${rowsOf(search, page(from, orderSql(list, sort)))}) as rows`;
    return { text, values: parameters.values };
  }
  const columns = [...new Set(['id', ...sort.map(({ field }) => sortedFrom(list, field))])];
  const named = namesFirst(search) ? `, ${identityTest(search, parameters)} as named` : '';
  const hits = `select ${columns.join(', ')}${named} from ${searchedRelation(list)} where ${whereOf(search, parameters)}`;
  const order = `${named === '' ? '' : 'named desc, '}${orderSql(list, sort)}`;
  const text = `with hits as materialized (${hits})
    select (select count(*) from hits) as total, (${rowsOf(search, page('hits', order))}) as rows`;
  return { text, values: parameters.values };
}

/** The rows with these numbers, in their order. */
export function rowsSql(search: Search, ids: readonly number[]): Statement {
  const parameters = new Parameters();
  const page = `select * from unnest(${parameters.add(arrayText(ids))}::bigint[]) with ordinality as wanted(id, place)`;
  return {
    text: `select (${rowsOf(search, page)}) as rows`,
    values: parameters.values,
    keepsPlan: true,
  };
}

/** The page of a search whose hits are the rows with these numbers. */
export function pageOfIdsSql(search: Search, ids: readonly number[]): Statement {
  const { list, sort, offset, size } = search;
  const parameters = new Parameters();
  const named = namesFirst(search) ? `${identityTest(search, parameters)} desc, ` : '';
  const page = `select id, row_number() over () as place from (select id from ${searchedRelation(list)}
    where id = any(${parameters.add(arrayText(ids))}::bigint[]) order by ${named}${orderSql(list, sort)}
    limit ${parameters.add(size)}::bigint offset ${parameters.add(offset)}::bigint) as ordered`;
  return { text: `select (${rowsOf(search, page)}) as rows`, values: parameters.values };
}

/** The numbers of all matching rows, in the search's order. */
export function idsSql(search: Search): Statement {
  const { list, sort } = search;
  const parameters = new Parameters();
  const text = `select to_json(array(select id from ${searchedRelation(list)} where ${whereOf(search, parameters)} order by ${orderSql(list, sort)})) as ids`;
  return { text, values: parameters.values };
}

/** `page` names the rows (`id`) and their order (`place`). */
function rowsOf(search: Search, page: string): string {
  return `select string_agg(to_json(r)::text, ',') from (select ${wireColumns(search)} from (${page}) as page
    join ${searchedRelation(search.list)} using (id) where withdrawn_time is null order by place) as r`;
}

/** The condition that a row must meet. */
export function whereOf({ list, keyword, conditions }: Search, parameters: Parameters): string {
  return [
    'withdrawn_time is null',
    ...keywordTests(list, keyword, parameters),
    ...conditions.map((condition) => conditionSql(list, condition, parameters)),
  ].join(' and ');
}

/** Rows without a value come last both ways; ties follow the number, in the direction of the first key. */
export function orderSql(list: ListDefinition, sort: readonly SortKey[]): string {
  const keys = sort.map(({ field, descending }) =>
    field === 'id'
      ? `id ${descending ? 'desc' : 'asc'}`
      : `${columnsOfField(list, field).sorted} ${descending ? 'desc' : 'asc'} nulls last`,
  );
  return sort.some(({ field }) => field === 'id')
    ? keys.join(', ')
    : [...keys, `id ${sort[0]?.descending === true ? 'desc' : 'asc'}`].join(', ');
}

const sortedFrom = (list: ListDefinition, field: string) =>
  field === 'id' ? 'id' : columnsOfField(list, field).sortedFrom;
