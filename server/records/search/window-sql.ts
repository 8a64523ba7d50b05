/** A search in windows: each is one statement that tests a bounded number of rows of an order, so that none takes long whatever is asked. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { isRiskField, searchedRelation } from '../../platform/database/searched-relation.ts';
import type { Search, SortKey } from '../criteria/search-request.ts';
import { conditionSql, testedColumns, testOfEachLine, unlessNull } from './condition-sql.ts';
import type { KeysetBookmark } from './keyset-cache.ts';
import { identityColumns, identitySql, identityTests, keywordTests } from './keyword-sql.ts';
import { Parameters } from './parameters.ts';
import {
  afterBookmarkSql,
  type OrderSegment,
  orderSql,
  Stamp,
  type Statement,
  stampColumns,
  whereOf,
} from './search-sql.ts';
import { wireColumns } from './shown-columns-sql.ts';

/** A part of an order by one field. Rows without a value come last; by id there are none. */
export type Part = 'valued' | 'unvalued' | 'all';

export interface WindowAt {
  /** The field whose index is followed. */
  readonly along: SortKey;
  readonly part: Part;
  /** Whether only rows whose name is the keyword match, or only the others. */
  readonly identity: OrderSegment['identity'];
  /** The last row of the window before; null at the beginning. */
  readonly from: Pick<KeysetBookmark, 'value' | 'id'> | null;
  /** Rows that are tested. */
  readonly rows: number;
  /** Only these rows, when given. */
  readonly among: readonly number[] | null;
  /** Numbers of matching rows that are answered; more are counted only. */
  readonly maxIds: number;
}

export const WindowAnswer = Stamp.extend({
  seen: z.number(),
  hits: z.number(),
  /** Of matching rows, in the order; null when there are none. */
  ids: z.array(z.number()).nullable(),
  /** Of the last row that was tested; null when the part has ended. */
  lastId: z.number().nullable(),
  lastValue: z.unknown(),
  /** What the statement took, in milliseconds. */
  took: z.number(),
});
export type WindowAnswer = Readonly<z.infer<typeof WindowAnswer>>;

export function partsOf(search: Search, { field }: SortKey): readonly Part[] {
  if (field === 'id') return ['all'];
  // A row without a value is in no range.
  return rangesOn(search, field).length > 0 ? ['valued'] : ['valued', 'unvalued'];
}

export function windowSql(
  search: Search,
  { along, part, identity, from, rows, among, maxIds }: WindowAt,
): Statement {
  const { list, keyword } = search;
  const parameters = new Parameters();
  const { sorted, type } = sortedColumn(list, along.field);
  const bounds = [
    'withdrawn_time is null',
    ...(part === 'all' ? [] : [`${sorted} is ${part === 'valued' ? 'not ' : ''}null`]),
    ...(part !== 'unvalued'
      ? rangesOn(search, along.field).map((condition) => conditionSql(list, condition, parameters))
      : []),
    ...(among === null ? [] : [`id = any(${parameters.add(arrayText(among))}::bigint[])`]),
    ...(from === null
      ? []
      : [
          afterBookmarkSql(
            { column: part === 'valued' ? sorted : 'id', type, descending: along.descending },
            from,
            parameters,
          ),
        ]),
  ];
  const columns = new Set([
    'id',
    `${sorted} as order_value`,
    ...(keyword === '' ? [] : ['keyword']),
    ...(identity === 'any' ? [] : identityColumns(list)),
    ...search.conditions.flatMap((one) => testedColumns(list, one)),
  ]);
  const { tests, lines } = testsOf(search, parameters);
  if (identity !== 'any')
    tests.push(`${identity === 'only' ? '' : 'not '}${identitySql(search, parameters)}`);
  const met = `array_agg(id) filter (where ${tests.length === 0 ? 'true' : tests.join(' and ')})`;
  const last = (column: string) => `(array_agg(${column}))[count(*)]`;
  // The tests stand in no condition of the statement: the planner tries those on hundreds of values to guess how many rows meet them.
  const text = `select count(*) as seen, coalesce(cardinality(${met}), 0) as hits, to_json((${met})[1:${parameters.add(maxIds)}::int]) as ids,
    ${last('id')} as "lastId", ${part === 'valued' && sorted !== 'id' ? last('order_value') : 'null'} as "lastValue",
    (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 as took, ${stampColumns(search, parameters)}
    from (select ${[...columns].join(', ')} from ${searchedRelation(list)} where ${bounds.join(' and ')}
      order by ${orderSql(list, [along], false, false)} limit ${parameters.add(rows)}::bigint) as tested${lines}`;
  return { text, values: parameters.values };
}

/** The rows of these numbers, in the order of the numbers. */
export function rowsSql(search: Search, ids: readonly number[]): Statement {
  const { list } = search;
  const parameters = new Parameters();
  const numbers = `unnest(${parameters.add(arrayText(ids))}::bigint[]) with ordinality as wanted(id, place)`;
  return {
    text: aggregated(
      search,
      `select ${wireColumns(search)} from ${numbers} join ${searchedRelation(list)} using (id) where withdrawn_time is null order by place`,
      parameters,
    ),
    values: parameters.values,
  };
}

/**
 * Those of these numbers, of all rows that meet the search when `ids` is null, that come first in the search's order, from `offset` on;
 * records whose name is the keyword come before all others.
 */
export function firstOfSql(
  search: Search,
  ids: readonly number[] | null,
  offset: number,
  size: number | null,
): Statement {
  const { list } = search;
  const parameters = new Parameters();
  const order = namedFirstSql(search, parameters);
  const tests =
    ids === null
      ? whereOf(search, parameters)
      : [`id = any(${parameters.add(arrayText(ids))}::bigint[])`];
  const text = `select to_json(array(select id from ${searchedRelation(list)} where ${['withdrawn_time is null', ...tests].join(' and ')}
    order by ${order} limit ${parameters.add(size)}::bigint offset ${parameters.add(offset)}::bigint)) as ids`;
  return { text, values: parameters.values };
}

/** The rows of `firstOfSql` themselves. */
export function firstRowsSql(search: Search, ids: readonly number[]): Statement {
  const { list, offset, size } = search;
  const parameters = new Parameters();
  const order = namedFirstSql(search, parameters);
  const page = `select id, row_number() over (order by ${order}) as place from ${searchedRelation(list)}
    where id = any(${parameters.add(arrayText(ids))}::bigint[]) and withdrawn_time is null
    order by place limit ${parameters.add(size)}::bigint offset ${parameters.add(offset)}::bigint`;
  return {
    text: aggregated(
      search,
      `select ${wireColumns(search)} from (${page}) as page join ${searchedRelation(list)} using (id) order by place`,
      parameters,
    ),
    values: parameters.values,
  };
}

/** The search's order after the records whose name is the keyword. */
function namedFirstSql(search: Search, parameters: Parameters): string {
  const named = identityTests(search, parameters);
  const order = orderSql(search.list, search.sort, false, true);
  return named === null ? order : `(coalesce(${named}, false)) desc, ${order}`;
}

export const NamedAnswer = z.object({
  ids: z.array(z.number()),
  /** With as many as were asked for, there may be more: `ids` is then not all. */
  candidates: z.number(),
});

/**
 * The records whose name is the keyword and that meet the search, in its order, and how many are named so at all, of both at most
 * `most`; null when no record can be named so.
 */
export function namedSql(search: Search, most: number): Statement | null {
  const { list, sort } = search;
  const parameters = new Parameters();
  const named = identityTests(search, parameters);
  if (named === null) return null;
  const { tests, lines } = testsOf(search, parameters);
  const text = `with named as materialized (select * from ${searchedRelation(list)} where withdrawn_time is null and (${named}) limit ${parameters.add(most)}::bigint)
    select (select count(*) from named) as candidates, to_json(array(select id from named as tested${lines}
      where ${tests.length === 0 ? 'true' : tests.join(' and ')} order by ${orderSql(list, sort, false, true)})) as ids`;
  return { text, values: parameters.values };
}

/**
 * The field along whose index a search is counted soonest: the only one that it looks at, or one whose range it bounds. The order of a
 * joined field has no index of the list's own: each window would put all rows in order again.
 */
export function countedAlong(search: Search): SortKey {
  const { list, keyword, conditions } = search;
  const columns = new Set([
    ...(keyword === '' ? [] : ['keyword']),
    ...conditions.flatMap((one) => testedColumns(list, one)),
  ]);
  const names = [...new Set(conditions.map(({ name }) => name))].filter(
    (name) => !isRiskField(list, name),
  );
  const alone = names.find(
    (name) => columns.size === 1 && columns.has(columnsOfField(list, name).sorted),
  );
  const bounded = names.find((name) => rangesOn(search, name).length > 0);
  return { field: alone ?? bounded ?? 'id', descending: false };
}

/** The conditions that are a range of the field's index. */
function rangesOn({ list, conditions }: Search, field: string): readonly Condition[] {
  if (columnsOfField(list, field).storage.type !== 'bigint') return [];
  return conditions.filter(
    (one) =>
      one.name === field &&
      (one.kind === 'between' || (one.kind === 'compared' && one.comparison !== '!=')),
  );
}

function sortedColumn(list: ListDefinition, field: string): { sorted: string; type: string } {
  const { sorted, rank, storage } = columnsOfField(list, field);
  return { sorted, type: rank === null ? storage.type : 'smallint' };
}

/** Values of several lines are taken apart once for all conditions that look at each line. */
function testsOf(
  { list, keyword, conditions }: Search,
  parameters: Parameters,
): { tests: string[]; lines: string } {
  const tests = keywordTests(list, keyword, 'keyword', parameters);
  const byColumn = new Map<string, string[]>();
  for (const condition of conditions) {
    const line = testOfEachLine(list, condition);
    if (line === null) {
      tests.push(conditionSql(list, condition, parameters));
      continue;
    }
    const looked = byColumn.get(line.folded) ?? [];
    byColumn.set(line.folded, looked);
    const name = `${line.folded}_line_${looked.length}`;
    looked.push(
      `coalesce(bool_or(element like ${parameters.add(line.pattern)}::text), false) as ${name}`,
    );
    tests.push(unlessNull(line.negated, line.folded, name));
  }
  const lines = [...byColumn].map(
    ([column, looked]) =>
      ` cross join lateral (select ${looked.join(', ')} from unnest(string_to_array(${column}, E'\\n')) as element) as ${column}_lines`,
  );
  return { tests, lines: lines.join('') };
}

function aggregated(search: Search, rows: string, parameters: Parameters): string {
  return `select count(*) as found, string_agg(to_json(r)::text, ',') as rows, ${stampColumns(search, parameters)} from (${rows}) as r`;
}

/** The rows that the index of words names for the pattern, one more than `most` at most. */
export function namedByWordsSql(search: Search, pattern: string, most: number): Statement {
  const parameters = new Parameters();
  const text = `select to_json(array(select id from ${search.list.key} where withdrawn_time is null and keyword like ${parameters.add(pattern)}::text
    limit ${parameters.add(most + 1)}::bigint)) as ids, ${stampColumns(search, parameters)}`;
  return { text, values: parameters.values };
}
