/**
 * How the queues of emails and deliveries, of runs and of downloads share their rows among processes: one process takes a row and has it
 * until its lease ends, or as long as it sends heartbeats. Then any process may take the row again, or end it.
 */
import type { z } from 'zod';
import { maxClockSkewMs } from '../database/clock-skew.ts';
import type { Queryable } from '../database/database.ts';
import { queryRows } from '../database/query-rows.ts';

export const isActive = `state in ('queued', 'running')`;

/**
 * Returns a condition. A lease that lasts longer than any is from before the clock was set back, and has ended too.
 * @param now - Parameter of the statement, such as '$1'.
 */
export const leaseEnded = (until: string, now: string, longestMs: number) =>
  `(${until} <= ${now}::bigint or ${until} > ${now}::bigint + ${longestMs})`;

/** Returns a condition: the process of a row has sent no heartbeat for this time, on any clock. */
export const isSilent = (heartbeat: string, now: string, maxSilenceMs: number) =>
  leaseEnded(`${heartbeat} + ${maxSilenceMs}`, now, maxSilenceMs + maxClockSkewMs);

interface Taking {
  readonly table: string;
  readonly due: string;
  readonly order?: string;
  readonly set: string;
  readonly columns: string;
}

/** Takes the first row that is due and that no other process is taking; null when there is none. */
export async function takeFirst<Row>(
  database: Queryable,
  schema: z.ZodType<Row>,
  { table, due, order = 'id', set, columns }: Taking,
  values: readonly unknown[],
): Promise<Row | null> {
  const rows = await queryRows(
    database,
    schema,
    `update ${table} set ${set} where id = (select id from ${table} where ${due} order by ${order} limit 1 for update skip locked)
     returning ${columns}`,
    values,
  );
  return rows[0] ?? null;
}

/** Returns the part of an update that cancels a row which no process has taken; a running one only gets the other columns. */
export function cancelIfQueued(more: Readonly<Record<string, string>>): string {
  return Object.entries({ state: `'cancelled'`, ...more })
    .map(
      ([column, value]) => `${column} = case state when 'queued' then ${value} else ${column} end`,
    )
    .join(', ');
}
