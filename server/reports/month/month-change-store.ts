/** Reads records of a month that changed since a time, or that the vendor no longer lists, with the run that read the change. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { type ChangedRecords, maxMonthChanges } from '@patch/contract/reports/month-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import type { MonthScope } from './month-scope.ts';

const StoredChange = z.object({
  list: z.string(),
  id: z.number(),
  name: z.string().nullable(),
  title: z.string().nullable(),
  time: z.number(),
  run: z.number().nullable(),
  source: openWord<SourceKey>().nullable(),
  fields: z.array(z.string()).nullable(),
  total: z.number(),
});

type Fragment = ReturnType<typeof sql>;

/** Records of the month in the lists of vendors. Folded ones count where they are withdrawn: nothing stands in their place then. */
const ofMonth = ({ month, products }: MonthScope): Fragment => {
  const inMonth = sql`release_date >= ${month.from} and release_date < ${month.to}`;
  if (products === null) return inMonth;
  const folded = arrayText(products.map(fold));
  return sql`${inMonth} and string_to_array(coalesce(release_folded, lower(release)), E'\n') && ${folded}::text[]`;
};

/** Runs that are searched for the change: those of weeks. The record is listed without its run where they do not suffice. */
const maxRuns = 500;

async function readChanges(
  database: Queryable,
  {
    condition,
    time,
    kinds,
    since,
  }: Readonly<Record<'condition' | 'time', Fragment>> & {
    readonly kinds: readonly string[];
    readonly since: number;
  },
): Promise<ChangedRecords> {
  const rows = await query.rows(database, StoredChange)`
    with found as materialized (
      select id, list, identifier as name, title, ${time} as time, count(*) over ()::int as total
      from stored_record where ${condition} order by ${time} desc, id limit ${maxMonthChanges}),
    runs as (select id, source from sync_run where ended_time >= ${since} order by id desc limit ${maxRuns}),
    change as (
      select distinct on (row_id) row_id, runs.id as run, runs.source, fields from runs
      join sync_change on run_id = runs.id and row_id in (select id from found)
      where kind = any(${arrayText(kinds)}::text[]) order by row_id, sync_change.id desc)
    select found.*, run, source, array(select jsonb_object_keys(fields)) as fields
    from found left join change on row_id = found.id order by time desc, found.id`;
  return {
    totalCount: rows[0]?.total ?? 0,
    records: rows.map(({ list, id, name, title, time: changedTime, run, source, fields }) => ({
      list,
      id,
      time: changedTime,
      run,
      source,
      name: name ?? title ?? `Record ${id}`,
      title,
      fields: [...(fields ?? [])],
    })),
  };
}

/** Records that were known before and are listed still. */
export const readChangedSince = (database: Queryable, scope: MonthScope, since: number) =>
  readChanges(database, {
    condition: sql`${ofMonth(scope)} and withdrawn_time is null and not folded
      and updated_time >= ${since} and created_time < ${since}`,
    time: sql`updated_time`,
    kinds: ['changed', 'returned'],
    since,
  });

export const readWithdrawn = (database: Queryable, scope: MonthScope) =>
  readChanges(database, {
    condition: sql`${ofMonth(scope)} and withdrawn_time > 0`,
    time: sql`withdrawn_time`,
    kinds: ['withdrawn'],
    since: scope.month.from,
  });
