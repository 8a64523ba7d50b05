/** Stores the freshness of each source at the last check. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const WatchRow = z.object({ source: z.string(), freshness: z.string() });

export async function readWatchedSources(
  database: Queryable,
): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows(database, WatchRow, 'select source, freshness from source_watch');
  return new Map(rows.map(({ source, freshness }) => [source, freshness]));
}

/** Returns false when another process has stored this freshness. */
export async function writeWatchedSource(
  tx: Queryable,
  source: string,
  freshness: string,
): Promise<boolean> {
  const { count } = await tx.query(
    `insert into source_watch (source, freshness) values ($1, $2)
     on conflict (source) do update set freshness = excluded.freshness where source_watch.freshness <> excluded.freshness`,
    [source, freshness],
  );
  return count === 1;
}
