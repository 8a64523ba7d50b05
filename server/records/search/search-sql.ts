/** The statements of a search. Names come from the list's definition only, values are parameters only. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { z } from 'zod';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import {
  isRiskField,
  riskRevision,
  searchedRelation,
} from '../../platform/database/searched-relation.ts';
import type { Search, SortKey } from '../criteria/search-request.ts';
import { conditionSql } from './condition-sql.ts';
import type { KeysetBookmark } from './keyset-cache.ts';
import { identityColumns, identitySql, keywordTests, namesFirst } from './keyword-sql.ts';
import { Parameters } from './parameters.ts';
import { wireColumns } from './shown-columns-sql.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Every statement of a search says at which revision of the list it was answered. */
export const Stamp = z.object({
  revision: z.number(),
  /** Rows of the list that are not withdrawn. */
  listed: z.number(),
});

export type Stamp = Readonly<z.infer<typeof Stamp>>;

export const RowsAnswer = Stamp.extend({
  /** JSON objects joined by commas; null when there are none. */
  rows: z.string().nullable(),
  found: z.number(),
});

export type RowsAnswer = Readonly<z.infer<typeof RowsAnswer>>;

export const CandidateScanResult = RowsAnswer.extend({
  /** When they are more than allowed, `total` and `rows` say nothing; by rows they are then the total themselves. */
  candidates: z.number(),
  total: z.number(),
});

export type CandidateScanResult = Readonly<z.infer<typeof CandidateScanResult>>;

/** `explain` answers a line of text for each row. */
export const PlanRow = z.object({ 'QUERY PLAN': z.string() });

/**
 * A segment of the order. What has no value comes last both ways, in an index only one way: it is a segment of its own.
 * Rows whose identity is the keyword are a segment before all others.
 */
export interface OrderSegment {
  readonly identity: 'only' | 'without' | 'any';
  readonly value: 'only' | 'without' | 'any';
}

/** The revision at which an answer holds: where a search looks at risk, which changes without the list, of both together. */
export function stampColumns(
  search: Pick<Search, 'list' | 'conditions' | 'sort'>,
  parameters: Parameters,
): string {
  const list = parameters.add(search.list.key);
  const revision = looksAtRisk(search)
    ? `(select sum(revision)::bigint from list_revision where list in (${list}, '${riskRevision}'))`
    : `(select revision from list_revision where list = ${list})`;
  return `${revision} as revision, (select listed from list_revision where list = ${list}) as listed`;
}

function looksAtRisk({
  list,
  conditions,
  sort,
}: Pick<Search, 'list' | 'conditions' | 'sort'>): boolean {
  return [...conditions.map(({ name }) => name), ...sort.map(({ field }) => field)].some((name) =>
    isRiskField(list, name),
  );
}

export function orderSegmentsOf(search: Search): readonly OrderSegment[] {
  const values =
    search.sort[0]?.field === 'id' ? (['any'] as const) : (['only', 'without'] as const);
  if (!namesFirst(search)) return values.map((value) => ({ identity: 'any', value }));
  return [
    { identity: 'only', value: 'any' },
    ...values.map((value): OrderSegment => ({ identity: 'without', value })),
  ];
}

export interface IndexScan {
  readonly segment: OrderSegment;
  /** From the segment's end to its beginning. */
  readonly backwards: boolean;
  /** Where the scan goes on. */
  readonly from: KeysetBookmark | null;
  /** Rows to pass. */
  readonly skip: number;
}

/** The next rows of a scan, always in the order that was asked for. */
export function indexScanSql(search: Search, scan: IndexScan, size: number): Statement {
  const { list, sort } = search;
  const parameters = new Parameters();
  const { where, order } = scanParts(search, scan, parameters);
  const limits = `limit ${parameters.add(size)}::bigint offset ${parameters.add(scan.skip)}::bigint`;
  // A long scan reads the index alone, and only the rows of the page are looked up.
  const rows =
    scan.skip <= 100 && !scan.backwards
      ? `select ${wireColumns(search)} from ${searchedRelation(list)} where ${where} order by ${order} ${limits}`
      : `select ${wireColumns(search)} from (select id from ${searchedRelation(list)} where ${where} order by ${order} ${limits}) as page
         join ${searchedRelation(list)} using (id) order by ${orderSql(list, sort, false, scan.segment.value === 'any')}`;
  const text = `select count(*) as found, string_agg(to_json(r)::text, ',') as rows, ${stampColumns(search, parameters)} from (${rows}) as r`;
  return { text, values: parameters.values };
}

/** The row that a scan has come to after that many rows; its value is null when the scan ends before. */
export function bookmarkSql(search: Search, scan: IndexScan): Statement {
  const { list, sort } = search;
  const parameters = new Parameters();
  const { where, order } = scanParts(search, scan, parameters);
  const sorted = sortedBy(list, sort).column;
  const row = `select ${sorted === 'id' ? 'id as value' : `${sorted} as value, id`} from ${searchedRelation(list)} where ${where} order by ${order}
    limit 1 offset ${parameters.add(scan.skip - 1)}::bigint`;
  const text = `select value, ${sorted === 'id' ? 'value as id' : 'id'}, ${stampColumns(search, parameters)} from (select) as one left join (${row}) as r on true`;
  return { text, values: parameters.values };
}

/** Only an order by one field has marks: its index knows all that a scan goes by. */
export function hasBookmarks({ sort }: Search): boolean {
  return sort.length === 1;
}

function scanParts(
  search: Search,
  { segment, backwards, from }: IndexScan,
  parameters: Parameters,
): { where: string; order: string } {
  // Said this way, the planner does not take the index of words, which is slower than scanning when many rows match.
  const tests = whereOf(search, parameters, "(keyword || '')");
  const { column, type } = sortedBy(search.list, search.sort);
  const order = {
    column: segment.value === 'without' ? 'id' : column,
    type,
    descending: (search.sort[0]?.descending ?? false) !== backwards,
  };
  const beyond = from === null ? [] : [afterBookmarkSql(order, from, parameters)];
  return {
    where: [
      'withdrawn_time is null',
      ...tests,
      ...segmentSql(search, segment, parameters),
      ...beyond,
    ].join(' and '),
    order: orderSql(search.list, search.sort, backwards, segment.value === 'any'),
  };
}

export interface ColumnOrder {
  readonly column: string;
  readonly type: string;
  readonly descending: boolean;
}

/** The rows after that one, in the order of a column whose ties are broken by id. */
export function afterBookmarkSql(
  { column, type, descending }: ColumnOrder,
  { value, id }: Pick<KeysetBookmark, 'value' | 'id'>,
  parameters: Parameters,
): string {
  const sign = descending ? '<' : '>';
  const place = `${parameters.add(id)}::bigint`;
  if (column === 'id') return `id ${sign} ${place}`;
  return `(${column}, id) ${sign} (${parameters.add(value)}::${type}, ${place})`;
}

function sortedBy(
  list: ListDefinition,
  sort: readonly SortKey[],
): { column: string; type: string } {
  const { sorted, rank, storage } = columnsOfField(list, sort[0]?.field ?? 'id');
  return { column: sorted, type: rank === null ? storage.type : 'smallint' };
}

/** How many rows there are, of all or of one segment. */
export function countSql(search: Search, segment: OrderSegment | null): Statement {
  const { list } = search;
  const parameters = new Parameters();
  const where = ['withdrawn_time is null', ...whereOf(search, parameters)];
  if (segment !== null) where.push(...segmentSql(search, segment, parameters));
  return {
    text: `select count(*) as total, ${stampColumns(search, parameters)} from ${searchedRelation(list)} where ${where.join(' and ')}`,
    values: parameters.values,
  };
}

/** What the planner is asked about, not run: all rows that meet the search. */
export function plannedSql(search: Search): Statement {
  const parameters = new Parameters();
  const where = ['withdrawn_time is null', ...whereOf(search, parameters)].join(' and ');
  return {
    text: `select id from ${searchedRelation(search.list)} where ${where}`,
    values: parameters.values,
  };
}

/** Only the revision and the number of listed rows. */
export function stampSql(search: Search): Statement {
  const parameters = new Parameters();
  return { text: `select ${stampColumns(search, parameters)}`, values: parameters.values };
}

/**
 * Finds all rows first and orders them then: right when there are at most `most`. With a pattern, the candidates are what the
 * index of words names for it, and nothing beyond that is looked at; without, they are the rows that match, found in the
 * narrowest index that knows the compared column, and counted to the end.
 */
export function candidateScanSql(search: Search, pattern: string | null, most: number): Statement {
  const { list, sort, offset, size } = search;
  const parameters = new Parameters();
  const limit = `${parameters.add(most)}::bigint`;
  const candidates =
    pattern === null
      ? `select id from ${searchedRelation(list)} where ${['withdrawn_time is null', ...whereOf(search, parameters)].join(' and ')}`
      : `select ${neededColumns(search).join(', ')} from ${searchedRelation(list)} where withdrawn_time is null and keyword like ${parameters.add(pattern)}::text`;
  // The rows themselves are counted to the end, so that the total is known whether they are few or not.
  const few =
    pattern === null
      ? `select * from candidates where (select count(*) from candidates) <= ${limit}`
      : `select * from candidates limit ${limit} + 1`;
  const hits =
    pattern === null
      ? `select hit.* from few join ${searchedRelation(list, 'hit')} using (id)`
      : `select * from few where ${whereOf(search, parameters).join(' and ')}`;
  const first = namesFirst(search) ? `(${identitySql(search, parameters)}) desc, ` : '';
  const order = first + orderSql(list, sort, false, true);
  const text = `with candidates as materialized (${candidates}),
    few as materialized (${few}),
    hits as materialized (${hits}),
    page as materialized (select id, row_number() over (order by ${order}) as place from hits order by place
      limit ${parameters.add(size)}::bigint offset ${parameters.add(offset)}::bigint)
    select (select count(*) from ${pattern === null ? 'candidates' : 'few'}) as candidates, (select count(*) from hits) as total, count(*) as found,
      string_agg(to_json(r)::text, ',') as rows, ${stampColumns(search, parameters)}
    from (select ${wireColumns(search)} from page join ${searchedRelation(list)} using (id) order by place) as r`;
  return { text, values: parameters.values };
}

/** How many candidates the planner guesses that the index of words names for the pattern: its plan, as text. */
export function estimateSql(list: ListDefinition, pattern: string): Statement {
  return {
    text: `explain select id from ${list.key} where withdrawn_time is null and keyword like $1::text`,
    values: [pattern],
  };
}

/** Whether words must be looked for inside the values, so that no ordered index leads to the rows. */
export function matchesSubstring({ list, keyword, conditions }: Search): boolean {
  const inside = (condition: Condition): boolean => {
    if (condition.kind === 'like' || condition.kind === 'oneOf') {
      return (
        !condition.negated &&
        (condition.kind === 'like' || columnsOfField(list, condition.name).storage.several)
      );
    }
    return (
      condition.kind === 'compared' &&
      condition.comparison === '=' &&
      columnsOfField(list, condition.name).storage.long
    );
  };
  return keyword !== '' || conditions.some(inside);
}

/** The tests of the search; none when it asks for all rows. */
export function whereOf(
  { list, keyword, conditions }: Search,
  parameters: Parameters,
  keywordColumn = 'keyword',
): string[] {
  return [
    ...keywordTests(list, keyword, keywordColumn, parameters),
    ...conditions.map((condition) => conditionSql(list, condition, parameters)),
  ];
}

function segmentSql(
  search: Search,
  { identity, value }: OrderSegment,
  parameters: Parameters,
): string[] {
  const first = search.sort[0];
  const tests: string[] = [];
  if (identity === 'only') tests.push(identitySql(search, parameters));
  if (identity === 'without') tests.push(`not ${identitySql(search, parameters)}`);
  if (value !== 'any' && first !== undefined) {
    tests.push(
      `${columnsOfField(search.list, first.field).sorted} is ${value === 'only' ? 'not ' : ''}null`,
    );
  }
  return tests;
}

/** Ties go the way of the first key, so that the index of one field can be scanned in both directions. */
export function orderSql(
  list: ListDefinition,
  sort: readonly SortKey[],
  backwards: boolean,
  withNulls: boolean,
): string {
  const keys = sort.map(({ field, descending }, place) => {
    const down = descending !== backwards;
    // The first key of a segment has a value everywhere or nowhere, id has one always: said plainly, the index is scanned.
    const plain = field === 'id' || (place === 0 && !withNulls);
    return `${columnsOfField(list, field).sorted} ${down ? 'desc' : 'asc'}${plain ? '' : backwards ? ' nulls first' : ' nulls last'}`;
  });
  const down = (sort[0]?.descending ?? false) !== backwards;
  return sort.some(({ field }) => field === 'id')
    ? keys.join(', ')
    : [...keys, `id ${down ? 'desc' : 'asc'}`].join(', ');
}

/** What conditions, order and identity of a search look at. */
function neededColumns({ list, conditions, sort }: Search): readonly string[] {
  const ofConditions = conditions.flatMap(({ name }) => {
    const { column, folded, rank, marker } = columnsOfField(list, name);
    return [column, folded, rank, marker].filter((one) => one !== null);
  });
  return [
    ...new Set([
      'id',
      'keyword',
      ...ofConditions,
      ...sort.map(({ field }) => columnsOfField(list, field).sortedFrom),
      ...identityColumns(list),
    ]),
  ];
}
