/** Reads what the ranked updates need beside their rows: the machines that miss them, and which of their CVEs are known exploited. */
import { getList } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { SortKey } from '../../records/criteria/search-request.ts';
import { orderSql } from '../../records/search/search-sql.ts';

const StepRow = z.object({
  id: z.number(),
  missed: z.array(z.string()),
  closes: z.array(z.number()),
  closesExploited: z.number(),
});

/** An update to install on machines, by its id in All patches. */
export interface MissedUpdate {
  readonly id: number;
  /** Its records that machines miss, as the criterion `misses` names them: list/number. */
  readonly missed: readonly string[];
  /** Ids of the other missing updates that it closes on one of them. */
  readonly closes: readonly number[];
  /** Known exploited ones of these. */
  readonly closesExploited: number;
}

/**
 * Returns the first updates to install on machines, in this order: an update stands where the first one stands that it closes. An
 * update of several products is one, as in All patches.
 */
export async function readMissedUpdates(
  database: Queryable,
  sort: readonly SortKey[],
  maxUpdates: number,
): Promise<readonly MissedUpdate[]> {
  const list = getList('all_patches');
  return queryRows(
    database,
    StepRow,
    `with ranked as (
       select missed_id, id as record_id, row_number() over (order by ${orderSql(list, sort)}) as rank
       from (select id as missed_id, list as missed_list, record_id as missed_record from missing_record where machines > 0) as missed
       join all_patches on list = missed_list and record_id = missed_record),
     missed as (
       select missed_id, rank, coalesce(shown.id, own.id) as shown_id from ranked join record as own on own.id = ranked.record_id
       left join record as shown on shown.update_key = own.update_key and not shown.folded)
     select id, missed, to_json(closes) as closes,
       (select count(*)::int from all_patches where all_patches.id = any(step.closes) and exploited) as "closesExploited"
     from (
       select step.shown_id as id, min(closed.rank) as rank,
         (select json_agg(missing_record.list || '/' || missing_record.record_id order by own.missed_id) from missed as own
          join missing_record on missing_record.id = own.missed_id where own.shown_id = step.shown_id) as missed,
         coalesce(array_agg(distinct closed.shown_id) filter (where closed.shown_id <> step.shown_id), '{}') as closes
       from missing_closer join missed as closed on closed.missed_id = missing_closer.missing_id
       join missed as step on step.missed_id = missing_closer.step_id
       group by step.shown_id order by rank limit $1) as step
     order by step.rank`,
    [maxUpdates],
  );
}

const CveRow = z.object({ cve: z.string() });

/** Returns those of the CVEs (folded) that are known exploited. */
export async function readExploitedCves(
  database: Queryable,
  cves: readonly string[],
): Promise<ReadonlySet<string>> {
  if (cves.length === 0) return new Set();
  const rows = await queryRows(
    database,
    CveRow,
    'select cve_folded as cve from vulnerability where exploited_since is not null and cve_folded = any($1::text[])',
    [arrayText(cves)],
  );
  return new Set(rows.map(({ cve }) => cve));
}
