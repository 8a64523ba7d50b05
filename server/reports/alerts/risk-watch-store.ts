/** The records of an alert's view that were in a watched state at the last check. */
import type { RiskEvent } from '@patch/contract/alert-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export const maxWatchedRecords = 100_000;

const IdRow = z.object({ id: z.number() });

export async function readRecordsInState(
  database: Queryable,
  alertId: number,
  event: RiskEvent,
): Promise<ReadonlySet<number>> {
  const rows = await queryRows(
    database,
    IdRow,
    'select record_id as id from alert_risk_record where alert_id = $1 and event = $2',
    [alertId, event],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Requires a transaction of the caller. */
export async function writeRecordsInState(
  tx: Queryable,
  alertId: number,
  { event, basis, current }: { event: RiskEvent; basis: string; current: readonly number[] },
): Promise<void> {
  const ids = arrayText(current);
  await tx.query(
    'delete from alert_risk_record where alert_id = $1 and event = $2 and not (record_id = any($3::bigint[]))',
    [alertId, event, ids],
  );
  await tx.query(
    'insert into alert_risk_record (alert_id, event, record_id) select $1, $2, id from unnest($3::bigint[]) as id on conflict do nothing',
    [alertId, event, ids],
  );
  const column = event === 'exploited' ? 'exploited_basis' : 'epss_basis';
  await tx.query(`update view_alert set ${column} = $2 where id = $1`, [alertId, basis]);
}

const ModelRow = z.object({ model: z.string().nullable() });

/** Returns the model of the latest scores as EPSS names it; null when unknown. */
export async function readEpssModel(database: Queryable): Promise<string | null> {
  const rows = await queryRows(
    database,
    ModelRow,
    `select remembered ->> 'model' as model from feed_part where source = 'epss' limit 1`,
  );
  return rows[0]?.model ?? null;
}
