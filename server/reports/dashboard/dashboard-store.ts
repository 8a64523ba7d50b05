/** Reads what the dashboard shows beside the rows of searches, and stores when each person visited it. */
import { getList } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import type { SortKey } from '../../records/criteria/search-request.ts';
import { orderSql } from '../../records/search/search-sql.ts';

/** An update to install on machines, by its id in All patches. */
const MissedUpdate = z.object({
  id: z.number(),
  /** Its records that machines miss, as the criterion `misses` names them: list/number. */
  missed: z.array(z.string()),
  /** Ids of the other missing updates that it closes on one of them. */
  closes: z.array(z.number()),
  /** Known exploited ones of these. */
  closesExploited: z.number(),
});
export type MissedUpdate = Readonly<z.infer<typeof MissedUpdate>>;

/**
 * Returns the first updates to install on machines, in this order: an update stands where the first one stands that it closes. An
 * update of several products is one, as in All patches.
 */
export const readMissedUpdates = (
  database: Queryable,
  sort: readonly SortKey[],
  maxUpdates: number,
) => query.rows(database, MissedUpdate)`with ranked as (
       select missed_id, id as record_id, row_number() over (order by ${sql.raw(orderSql(getList('all_patches'), sort))}) as rank
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
       group by step.shown_id order by rank limit ${maxUpdates}) as step
     order by step.rank`;

const ExploitedCve = z.object({ cve: z.string(), since: z.number() });

/** Returns those of the CVEs (folded) that are known exploited, each with the day since when. */
export const readExploitedCves = async (
  database: Queryable,
  cves: readonly string[],
): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (cves.length === 0
      ? []
      : await query.rows(database, ExploitedCve)`
          select cve_folded as cve, exploited_since as since from vulnerability
          where exploited_since is not null and cve_folded = any(${arrayText(cves)}::text[])`
    ).map(({ cve, since }) => [cve, since]),
  );

/** Records published longer before are not news, although new here: the first sync of a source brings its complete past. */
export const publishedWithinMs = 30 * 86_400_000;

/** The address of a list has room for this many; after a long absence the newest are used. */
const maxCves = 200;

/** Returns the CVEs that became known exploited: whose listing by CISA this repository read since then. */
export const readCvesListedSince = (database: Queryable, since: number) =>
  query.values(database, z.string())`
    select cve from vulnerability where exploited_since >= ${since - publishedWithinMs} and kev_known_time >= ${since}
    order by exploited_since desc, id limit ${maxCves}`;

/** A first visit shows what is new within this time. */
const firstVisitMs = 7 * 86_400_000;

/** A visit ends after this time without opening the dashboard: reloads, tabs and other devices until then belong to it. */
const visitGapMs = 30 * 60_000;

export interface Since {
  /** Epoch milliseconds. */
  readonly time: number;
  /** The end of the previous visit, or a fixed time before the first one. */
  readonly reason: 'last_visit' | 'first_visit';
}

/** `last` is the latest opening, `before` the last one of the previous visit. */
const VisitRow = z.object({ last: z.number(), before: z.number().nullable() });

/** Returns the end of the visit before the one that goes on, or begins, at this time. */
export async function readNewSince(
  database: Queryable,
  userId: number,
  now: number,
): Promise<Since> {
  const visit = await query.row(database, VisitRow)`
    select last_time as last, before_time as before from dashboard_visit where user_id = ${userId}`;
  const time = visit === null ? null : isOver(visit.last, now) ? visit.last : visit.before;
  // After the clock was set back, a visit may lie ahead.
  return time === null || time > now
    ? { time: now - firstVisitMs, reason: 'first_visit' }
    : { time, reason: 'last_visit' };
}

const isOver = (last: number, now: number) => now - last >= visitGapMs;

/** Records that the dashboard was opened, which continues the visit or begins one. */
export const recordVisit = (database: Queryable, userId: number, now: number) =>
  query.run(database)`
    insert into dashboard_visit (user_id, last_time) values (${userId}, ${now})
    on conflict (user_id) do update set last_time = excluded.last_time,
      before_time = case when excluded.last_time - dashboard_visit.last_time >= ${visitGapMs}
        then dashboard_visit.last_time else dashboard_visit.before_time end`;

/** Returns when the first record was read here, epoch milliseconds; null in an empty catalogue. */
export const readFirstRecord = (database: Queryable) =>
  query.value(database, z.number())`select created_time from record order by id limit 1`;
