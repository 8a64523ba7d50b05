/**
 * Tells the planner what a table's rows are like now, and marks what an index may answer alone, right after a sync: autovacuum comes a
 * minute later at best, and until then counting and paging look every row up. It takes about a second for every million rows: a table is
 * vacuumed once enough of its rows were written since the last time.
 */
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import type { Database } from './database.ts';
import { queryRows } from './query-rows.ts';

/** Below this a table is left alone, however small it is. */
const leastRows = 100;
/** Of the table's rows. */
const leastShare = 0.01;

const TableRow = z.object({ table: z.string() });

/** `written`: rows that were added, changed and removed, by table. Answers which tables were vacuumed. Call it after the last batch. */
export async function refreshStatistics(
  database: Database,
  written: Readonly<Record<string, number>>,
): Promise<readonly string[]> {
  const counted = Object.entries(written).filter(([, rows]) => rows > 0);
  if (counted.length === 0) return [];
  const due = await queryRows(
    database,
    TableRow,
    `with counted as (
       insert into rows_written (table_name, rows) select * from unnest($1::text[], $2::bigint[])
       on conflict (table_name) do update set rows = rows_written.rows + excluded.rows returning table_name, rows)
     select table_name as "table" from counted join pg_class on pg_class.oid = to_regclass(table_name)
     where reltuples < 0 or rows >= greatest(${leastRows}, reltuples * ${leastShare}) order by table_name`,
    [arrayText(counted.map(([table]) => table)), arrayText(counted.map(([, rows]) => rows))],
  );
  for (const { table } of due) {
    // Each on its own: vacuum cannot run inside a transaction, which several statements at once would be.
    await database.script(`vacuum (analyze) ${table}`);
    await database.query('delete from rows_written where table_name = $1', [table]);
  }
  return due.map(({ table }) => table);
}
