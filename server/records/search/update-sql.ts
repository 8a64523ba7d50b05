/** SQL statements that count and page updates. Records of one source with the same `countedBy` value count once. */
import { maxGroupIds, RowGroup } from '@patch/contract/records/grouped-search-endpoint.ts';
import { z } from 'zod';
import { updateColumn, updateKeySql } from '../../platform/database/rows/update-key.ts';
import { searchedRelation } from '../../platform/database/searched-relation.ts';
import { Parameters } from '../criteria/condition-meaning.ts';
import type { Search } from '../criteria/search-request.ts';
import {
  aggregatedRowsSql,
  type Candidates,
  PageAnswer,
  rankedOrderSql,
  type Statement,
  whereSql,
  wireColumns,
} from './search-sql.ts';

/** Counts records without an update one by one, and the others once for each update. */
export function updateCountSql(searches: readonly Search[]): Statement {
  const parameters = new Parameters();
  const parts = searches.map((search) => {
    const { list } = search;
    const where = whereSql(search, parameters);
    const key = updateColumn(list);
    return key === null
      ? { keyed: [], single: `(select count(*) from ${searchedRelation(list)} where ${where})` }
      : {
          keyed: [
            `select ${key} as update_key from ${searchedRelation(list)} where ${where} and ${key} is not null group by 1`,
          ],
          single: `(select count(*) from ${searchedRelation(list)} where ${where} and ${key} is null)`,
        };
  });
  const keyed = parts.flatMap((part) => part.keyed);
  const shared =
    keyed.length === 0 ? [] : [`(select count(*) from (${keyed.join(' union ')}) as each_once)`];
  const text = `select ${[...shared, ...parts.map(({ single }) => single)].join(' + ')} as updates`;
  return { text, values: parameters.values };
}

type Span = readonly [above: number, upTo: number];

export const UpdatesAnswer = z.object({
  records: z.number(),
  updates: z.number(),
  /** JSON objects joined by commas, one for the first record of each update; null without updates. */
  rows: z.string().nullable(),
});

/**
 * Reads the updates of a search among records with ids in these spans, in the order of the search. Each update is represented by its
 * first record, with the count of its records as `recordsOfUpdate`.
 */
export function updatesWithinSql(
  search: Search,
  { spans, most }: { readonly spans: readonly Span[]; readonly most: number },
): Statement {
  const { list } = search;
  const parameters = new Parameters();
  const within = spans
    .map(
      ([above, upTo]) =>
        `id > ${parameters.add(above)}::bigint and id <= ${parameters.add(upTo)}::bigint`,
    )
    .join(' or ');
  const where = `${whereSql(search, parameters)} and (${within === '' ? 'false' : within})`;
  const text = `with hits as materialized (select id, ${updateKeySql(list)} as update_key, row_number() over (order by ${rankedOrderSql(search, parameters)}) as ordinal
      from ${searchedRelation(list)} where ${where}),
    updates as materialized (select min(ordinal) as ordinal, count(*) as records from hits group by update_key)
    select (select count(*) from hits) as records, (select count(*) from updates) as updates, string_agg(to_json(r)::text, ',') as rows
    from (select ${wireColumns(search)}, first.records as "recordsOfUpdate"
      from (select hits.id, updates.* from updates join hits using (ordinal) order by ordinal limit ${parameters.add(most)}::bigint) as first
      join ${searchedRelation(list)} using (id) order by ordinal) as r`;
  return { text, values: parameters.values };
}

export const GroupedAnswer = PageAnswer.extend({
  updates: z.number(),
  /** Null without rows. */
  groups: z.array(RowGroup).nullable(),
});

/** Reads a page of updates in the order of the search, each represented by its first record, with the totals from one snapshot. */
export function groupedPageSql(search: Search, candidates: Candidates = null): Statement {
  const { list, offset, size } = search;
  const parameters = new Parameters();
  const where = whereSql(search, parameters, candidates);
  const order = rankedOrderSql(search, parameters);
  const key = updateKeySql(list);
  const from = searchedRelation(list);
  const text = `with hits as materialized (select id, ${key} as update_key, row_number() over (order by ${order}) as ordinal
      from ${from} where ${where}),
    updates as materialized (select min(ordinal) as ordinal, update_key from hits group by update_key),
    page as materialized (select * from updates order by ordinal
      limit ${parameters.add(size)}::bigint offset ${parameters.add(offset)}::bigint),
    listed as (select update_key, count(*) as records from (select ${key} as update_key from ${from} where withdrawn_time is null) as rows
      where update_key in (select update_key from page) group by update_key),
    ranked as (select *, row_number() over (partition by update_key order by ordinal) as place from hits
      where update_key in (select update_key from page)),
    members as (select update_key, count(*) as matching, json_agg(id order by ordinal) filter (where place <= ${maxGroupIds}) as ids
      from ranked group by update_key)
    select (select count(*) from hits) as total, (select count(*) from updates) as updates,
      (select json_agg(json_build_object('ids', ids, 'matching', matching, 'records', records) order by ordinal)
        from page join members using (update_key) join listed using (update_key)) as groups,
      (${aggregatedRowsSql(search, 'select hits.id, ordinal from page join hits using (ordinal)')}) as rows`;
  return { text, values: parameters.values };
}
