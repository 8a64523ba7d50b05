/** The statements that count updates: records of the lists of one source with the same `countedBy` value count once. */
import { z } from 'zod';
import { searchedRelation } from '../../platform/database/searched-relation.ts';
import { updateColumn, updateKeySql } from '../../platform/database/update-key.ts';
import { Parameters } from '../criteria/parameters.ts';
import type { Search } from '../criteria/search-request.ts';
import { orderSql, type Statement, whereOf } from './search-sql.ts';
import { wireColumns } from './shown-columns-sql.ts';

/** Records that name no update count each; the others count once for an update. */
export function updateCountSql(searches: readonly Search[]): Statement {
  const parameters = new Parameters();
  const parts = searches.map((search) => {
    const { list } = search;
    const where = whereOf(search, parameters);
    const key = updateColumn(list);
    return key === null
      ? { named: [], single: `(select count(*) from ${searchedRelation(list)} where ${where})` }
      : {
          named: [
            `select ${key} as update_key from ${searchedRelation(list)} where ${where} and ${key} is not null group by 1`,
          ],
          single: `(select count(*) from ${searchedRelation(list)} where ${where} and ${key} is null)`,
        };
  });
  const named = parts.flatMap((part) => part.named);
  const shared =
    named.length === 0 ? [] : [`(select count(*) from (${named.join(' union ')}) as each_once)`];
  const text = `select ${[...shared, ...parts.map(({ single }) => single)].join(' + ')} as updates`;
  return { text, values: parameters.values };
}

type Span = readonly [above: number, upTo: number];

export const UpdatesAnswer = z.object({
  records: z.number(),
  updates: z.number(),
  /** JSON objects joined by commas, of each update its first record; null when there are none. */
  rows: z.string().nullable(),
});

/**
 * The updates of a search among the records of these numbers, in the search's order: each by its first record, with how many it has
 * as `recordsOfUpdate`.
 */
export function updatesWithinSql(
  search: Search,
  { spans, most }: { readonly spans: readonly Span[]; readonly most: number },
): Statement {
  const { list, sort } = search;
  const parameters = new Parameters();
  const within = spans
    .map(
      ([above, upTo]) =>
        `id > ${parameters.add(above)}::bigint and id <= ${parameters.add(upTo)}::bigint`,
    )
    .join(' or ');
  const where = `${whereOf(search, parameters)} and (${within === '' ? 'false' : within})`;
  const text = `with hits as materialized (select id, ${updateKeySql(list)} as update_key, row_number() over (order by ${orderSql(list, sort)}) as place
      from ${searchedRelation(list)} where ${where}),
    updates as materialized (select min(place) as place, count(*) as records from hits group by update_key)
    select (select count(*) from hits) as records, (select count(*) from updates) as updates, string_agg(to_json(r)::text, ',') as rows
    from (select ${wireColumns(search)}, first.records as "recordsOfUpdate"
      from (select hits.id, updates.* from updates join hits using (place) order by place limit ${parameters.add(most)}::bigint) as first
      join ${searchedRelation(list)} using (id) order by place) as r`;
  return { text, values: parameters.values };
}
