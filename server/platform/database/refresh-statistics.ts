/**
 * Refreshes the planner's statistics and the visibility map of tables right after a sync. Autovacuum would come a minute later at best,
 * and counting and paging would look up every row until then. It takes about a second per million rows, so a table is vacuumed only
 * when enough of its rows were written since the last time.
 */
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import type { Database } from './database.ts';
import { queryValues } from './query-rows.ts';

/** Minimum number of written rows, even for small tables. */
const minRows = 100;
/** Minimum share of written rows in a table. */
const minShare = 0.01;

/**
 * Must be called after the last batch of a sync. Returns the vacuumed tables.
 * @param written - Numbers of added, changed and removed rows by table.
 */
export async function refreshStatistics(
  database: Database,
  written: Readonly<Record<string, number>>,
): Promise<readonly string[]> {
  const counted = Object.entries(written).filter(([, rows]) => rows > 0);
  if (counted.length === 0) return [];
  const due = await queryValues(
    database,
    z.string(),
    `with counted as (
       insert into rows_written (table_name, rows) select * from unnest($1::text[], $2::bigint[])
       on conflict (table_name) do update set rows = rows_written.rows + excluded.rows returning table_name, rows)
     select table_name from counted join pg_class on pg_class.oid = to_regclass(table_name)
     where reltuples < 0 or rows >= greatest(${minRows}, reltuples * ${minShare}) order by table_name`,
    [arrayText(counted.map(([table]) => table)), arrayText(counted.map(([, rows]) => rows))],
  );
  for (const table of due) {
    // One statement each: several in one call form a transaction, in which vacuum cannot run.
    await database.script(`vacuum (analyze) ${table}`);
    await database.query('delete from rows_written where table_name = $1', [table]);
  }
  return due;
}
