/** The statements that count updates: records of the lists of one source with the same `countedBy` value count once. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import { riskRevision, searchedRelation } from '../../platform/database/searched-relation.ts';
import { updateColumn, updateKeySql } from '../../platform/database/update-key.ts';
import type { Search } from '../criteria/search-request.ts';
import { Parameters } from './parameters.ts';
import { orderSql, type Statement, whereOf } from './search-sql.ts';
import { wireColumns } from './shown-columns-sql.ts';

/**
 * `revisions`: of the searched lists together. Each only rises, so that the same sum means that nothing was written. What names
 * no update is counted apart: the others are then read from the index of the naming column, in its order.
 */
export function updateCountSql(searches: readonly Search[]): Statement {
  const parameters = new Parameters();
  const parts = searches.map((search) => {
    const { list } = search;
    const where = ['withdrawn_time is null', ...whereOf(search, parameters)].join(' and ');
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
  const lists = searches.map(({ list }) => parameters.add(list.key)).join(', ');
  const text = `select ${[...shared, ...parts.map(({ single }) => single)].join(' + ')} as updates,
    (select coalesce(sum(revision), 0) from list_revision where list in (${lists}, '${riskRevision}')) as revisions`;
  return { text, values: parameters.values };
}

/** What the rows of these numbers are about: the updates that are named, each once, and how many rows name none. */
export function updateKeysSql(list: ListDefinition, ids: readonly number[]): Statement {
  const key = updateColumn(list) ?? 'null::text';
  const text = `select coalesce(json_agg(distinct ${key}) filter (where ${key} is not null), '[]') as named, count(*) filter (where ${key} is null) as single
    from ${searchedRelation(list)} where id = any($1::bigint[]) and withdrawn_time is null`;
  return { text, values: [arrayText(ids)] };
}

/** Only the revisions of the searched lists together. */
export function revisionsSql(searches: readonly Search[]): Statement {
  const parameters = new Parameters();
  const lists = searches.map(({ list }) => parameters.add(list.key)).join(', ');
  return {
    text: `select coalesce(sum(revision), 0) as revisions from list_revision where list in (${lists}, '${riskRevision}')`,
    values: parameters.values,
  };
}

type Span = readonly [above: number, upTo: number];

export const UpdatesAnswer = z.object({
  records: z.number(),
  updates: z.number(),
  /** JSON objects joined by commas, of each update its first record; null when there are none. */
  rows: z.string().nullable(),
});

/** The updates of a search among records of these numbers (or, when `matching` is given, of the records that were found to meet the search already), in the search's order: each by its first record, with how many it has as `recordsOfUpdate`. */
export function updatesWithinSql(
  search: Search,
  {
    spans,
    matching,
    most,
  }: {
    readonly spans: readonly Span[];
    readonly matching: readonly number[] | null;
    readonly most: number;
  },
): Statement {
  const { list, sort } = search;
  const parameters = new Parameters();
  const within = spans
    .map(
      ([above, upTo]) =>
        `id > ${parameters.add(above)}::bigint and id <= ${parameters.add(upTo)}::bigint`,
    )
    .join(' or ');
  const tests =
    matching === null
      ? whereOf(search, parameters)
      : [`id = any(${parameters.add(arrayText(matching))}::bigint[])`];
  const where = ['withdrawn_time is null', `(${within === '' ? 'false' : within})`, ...tests].join(
    ' and ',
  );
  const text = `with hits as materialized (select id, ${updateKeySql(list)} as update_key, row_number() over (order by ${orderSql(list, sort, false, true)}) as place
      from ${searchedRelation(list)} where ${where}),
    updates as materialized (select min(place) as place, count(*) as records from hits group by update_key)
    select (select count(*) from hits) as records, (select count(*) from updates) as updates, string_agg(to_json(r)::text, ',') as rows
    from (select ${wireColumns(search)}, first.records as "recordsOfUpdate"
      from (select hits.id, updates.* from updates join hits using (place) order by place limit ${parameters.add(most)}::bigint) as first
      join ${searchedRelation(list)} using (id) order by place) as r`;
  return { text, values: parameters.values };
}
