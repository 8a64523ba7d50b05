/** Compares a list at two of its revisions that checkpoints have. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { maxDifferenceRows } from '@patch/contract/licensing/checkpoint-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { wireRecordSql } from '../../platform/database/rows/wire-record.ts';
import { query } from '../../platform/database/sql-statement.ts';
import { keptVersionSql, ringStatusSql } from './ring-status-store.ts';

/** The revision of now: later than any. */
export const newestRevision = Number.MAX_SAFE_INTEGER;

const DifferenceRow = z.object({
  kind: z.enum(['added', 'changed', 'withdrawn']),
  count: z.number(),
  /** How many of them the ring does not get, and how many it gets in their present version. */
  declined: z.number(),
  passing: z.number(),
  /** The newest records. */
  ids: z.array(z.number()),
});
export type DifferenceRow = z.infer<typeof DifferenceRow>;

/**
 * SQL of the records of the list $1 that have changed after revision $2 up to $3, each with the revision of its listed version at $2 and
 * at $3; null where it was not listed. A version at $3 that has changed since was kept, as was every version at $2: see docs/decisions/093.
 */
const changedSql = `
  select later.id, later.withdrawn_time, later.revision as later, case when not earlier.is_withdrawn then earlier.from_revision end as earlier
  from (
    select id, withdrawn_time, case when withdrawn_time is null then list_revision end as revision
      from stored_record where list = $1 and list_revision > $2 and list_revision <= $3
    union all
    select id, withdrawn_time, case when not is_withdrawn then from_revision end
      from kept_record join stored_record on id = record_id
      where kept_record.list = $1 and from_revision > $2 and from_revision <= $3 and until_revision > $3
  ) as later ${keptVersionSql('earlier', 'later', '$1', '$2')}`;

/** Returns whether records were ever decided about for the ring. */
export const hasDecisions = async (database: Queryable, ring: number): Promise<boolean> =>
  (await query.value(database, z.boolean())`
    select decision_revision > 0 from ring where id = ${ring}`) ?? false;

const withoutDecisions = 'cross join (select false as is_declined, false as passes) as status';

/**
 * Counts what differs in a list between two revisions that checkpoints have.
 * @param ring - For which records are decided about; null: none.
 */
export function readDifference(
  database: Queryable,
  list: ListDefinition,
  from: number,
  to: number,
  ring: number | null,
): Promise<readonly DifferenceRow[]> {
  const moments = ['changed.earlier', 'changed.later'];
  const status = ring === null ? withoutDecisions : ringStatusSql('changed', '$4');
  const [former, latter] = from < to ? moments : moments.toReversed();
  return queryRows(
    database,
    DifferenceRow,
    `select kind, count(*) as count, count(*) filter (where is_declined) as declined, count(*) filter (where passes) as passing, to_json((array_agg(id order by id desc))[:${maxDifferenceRows}]) as ids
     from (
       select changed.id, case when ${former} is null then 'added' when ${latter} is null then 'withdrawn' else 'changed' end as kind,
         is_declined, passes
       from (${changedSql}) as changed ${status}
       where changed.earlier is not null or changed.later is not null
     ) as different group by kind`,
    [list.key, Math.min(from, to), Math.max(from, to), ...(ring === null ? [] : [ring])],
  );
}

const ContentRow = z.object({ id: z.number(), content: z.string() });

/** Returns the JSON of listed records at a revision, as clients got it, by id. */
export async function readContentsAt(
  database: Queryable,
  list: ListDefinition,
  ids: readonly number[],
  revision: number,
): Promise<ReadonlyMap<number, string>> {
  const rows = await queryRows(
    database,
    ContentRow,
    `select id, ${wireRecordSql(list)} as content from ${list.key} where id = any($2::bigint[]) and revision <= $3
       and withdrawn_time is null
     union all
     select record_id, content from kept_record where list = $1 and record_id = any($2::bigint[])
       and from_revision <= $3 and until_revision > $3 and not is_withdrawn`,
    [list.key, arrayText(ids), revision],
  );
  return new Map(rows.map(({ id, content }) => [id, content]));
}
