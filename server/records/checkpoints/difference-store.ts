/** Compares a list at two of its revisions that checkpoints have. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { maxDifferenceRows } from '@patch/contract/checkpoint-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { wireRecordSql } from '../../platform/database/wire-record.ts';
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

/** Returns SQL of the revision of a record's version at a revision; null if it was not listed. */
const versionSql = (revision: string, kept: string) =>
  `case when record.revision <= ${revision} then case when withdrawn_time is null then record.revision end
     when not ${kept}.is_withdrawn then ${kept}.from_revision end`;

export function readDifference(
  database: Queryable,
  list: ListDefinition,
  from: number,
  to: number,
  ring: number,
): Promise<readonly DifferenceRow[]> {
  return queryRows(
    database,
    DifferenceRow,
    `select kind, count(*) as count, count(*) filter (where is_declined) as declined, count(*) filter (where passes) as passing, to_json((array_agg(id order by id desc))[:${maxDifferenceRows}]) as ids
     from (
       select record.id, case when former is null then 'added' when latter is null then 'withdrawn' else 'changed' end as kind,
         is_declined, passes
       from (select id, list_revision as revision, withdrawn_time from stored_record where list = $1 and list_revision > $4) as record
         ${keptVersionSql('kept_before', 'record', '$1', '$2')} ${keptVersionSql('kept_after', 'record', '$1', '$3')}
         ${ringStatusSql('record', '$5')}
         cross join lateral (select ${versionSql('$2', 'kept_before')} as former, ${versionSql('$3', 'kept_after')} as latter) as versions
       where former is distinct from latter
     ) as different group by kind`,
    [list.key, from, to, Math.min(from, to), ring],
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
