/** Reads what is new about the records that pass a ring or are declined: see ring-passes.ts. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { ringStatusSql } from '../../records/checkpoints/ring-status-store.ts';
import type { ChangeCursor } from './change-cursor.ts';
import { aimedJsonSql, hasTargetSql, keptSql, lacksSql, ScanRow } from './scan-store.ts';

/**
 * The records whose version for the ring may have changed: what was decided or taken back; passing records that changed; those whose risk
 * changed while known exploited ones pass, or did so before; and all of these if that switch was turned. Only records newer than the target
 * can differ from it by passing. A record without a risk may have passed before it was withdrawn.
 */
const affectedSql = `
  select record_id as id from ring_record where ring_id = $3 and list = $1 and revision > $5::bigint
  union select stored.id from stored_record as stored join ring_record as decided on decided.record_id = stored.id
    where decided.ring_id = $3 and decided.decision = 'approved' and stored.list = $1 and stored.list_revision > greatest($4::bigint, $6::bigint)
  union select stored.id from stored_record as stored left join record_risk on record_id = stored.id
    where (select follows from switch) and stored.list = $1 and stored.list_revision > greatest($4::bigint, $6::bigint) and (exploited or (record_id is null and $6::bigint > 0))
  union select stored.id from record_risk join stored_record as stored on stored.id = record_id
    where (select follows from switch) and record_risk.revision > $7::bigint and stored.list = $1 and stored.list_revision > $4::bigint
  union select stored.id from stored_record as stored join record_risk on record_id = stored.id
    where (select is_turned from switch) and exploited and stored.list = $1 and stored.list_revision > $4::bigint`;

/** Returns records after the last one in the order of ids, at most `limit`, as the client of the ring is to have them. */
export async function readNews(
  database: Queryable,
  list: ListDefinition,
  { revision: target, passes }: ChangeCursor,
  limit: number,
): Promise<z.infer<typeof ScanRow>> {
  if (passes?.news === undefined) throw new Error('A cursor without news');
  const { ring, decisions, list: listRevision, risk, news } = passes;
  const [batch] = await queryRows(
    database,
    ScanRow,
    `with switch as materialized (select passes_exploited or exploited_revision > $5::bigint as follows, exploited_revision > $5::bigint as is_turned
         from ring where id = $3),
       affected as materialized (select id from (${affectedSql}) as each where id > $2::bigint order by id limit $8)
     select count(*) as found, string_agg(json, ',') as rows, null::bigint as revision, max(id) as id,
       ${hasTargetSql} as "hasTarget", ${lacksSql} as lacks
     from (
       select id, ${aimedJsonSql(list, 'is_present')} as json
       from (
         select listed.*, not status.is_declined and (status.passes or listed.revision <= $4) as is_present,
           case when not status.is_declined then kept.content end as kept_content
         from affected join ${list.key} as listed using (id) ${keptSql} ${ringStatusSql('listed', '$3')}
       ) as aimed
       order by id
     ) as page`,
    [list.key, news.id, ring, target, decisions, listRevision, risk, limit],
  );
  if (batch === undefined) throw new Error('An aggregate without a row');
  return batch;
}
