/** Stores the states at the last check: of the records that an alert watches, and of the sources. */
import type { RiskEvent } from '@patch/contract/reports/alert-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

export const maxWatchedRecords = 100_000;

/** Returns the records of the alert's view that were in the watched state. */
export const readRecordsInState = async (
  database: Queryable,
  alertId: number,
  event: RiskEvent,
): Promise<ReadonlySet<number>> =>
  new Set(
    await query.values(database, z.number())`
      select record_id from alert_risk_record where alert_id = ${alertId} and event = ${event}`,
  );

/** Returns the records of these whose risk has changed after the revision. */
export const readRecordsOfChangedRisk = async (
  database: Queryable,
  ids: readonly number[],
  revision: number,
): Promise<ReadonlySet<number>> =>
  new Set(
    await query.values(database, z.number())`
      select record_id from record_risk where record_id = any(${arrayText(ids)}::bigint[]) and revision > ${revision}`,
  );

/** Requires a transaction of the caller. */
export async function writeRecordsInState(
  tx: Queryable,
  alertId: number,
  { event, basis, current }: { event: RiskEvent; basis: string; current: readonly number[] },
): Promise<void> {
  const ids = arrayText(current);
  await query.run(tx)`
    delete from alert_risk_record where alert_id = ${alertId} and event = ${event} and not (record_id = any(${ids}::bigint[]))`;
  await query.run(tx)`
    insert into alert_risk_record (alert_id, event, record_id)
    select ${alertId}, ${event}, id from unnest(${ids}::bigint[]) as id on conflict do nothing`;
  const column = sql.raw(event === 'exploited' ? 'exploited_basis' : 'epss_basis');
  await query.run(tx)`update view_alert set ${column} = ${basis} where id = ${alertId}`;
}

/** Returns the model of the latest scores as EPSS names it; null when unknown. */
export const readEpssModel = (database: Queryable) =>
  query.value(database, z.string().nullable())`
    select remembered ->> 'model' from feed_part where source = 'epss' limit 1`;

const WatchRow = z.object({ source: z.string(), freshness: z.string() });

/** Returns the freshness of each source. */
export async function readWatchedSources(
  database: Queryable,
): Promise<ReadonlyMap<string, string>> {
  const rows = await query.rows(database, WatchRow)`select source, freshness from source_watch`;
  return new Map(rows.map(({ source, freshness }) => [source, freshness]));
}

/** Returns false when another process has stored this freshness. */
export const writeWatchedSource = (tx: Queryable, source: string, freshness: string) =>
  query.runOne(tx)`
    insert into source_watch (source, freshness) values (${source}, ${freshness})
    on conflict (source) do update set freshness = excluded.freshness where source_watch.freshness <> excluded.freshness`;
