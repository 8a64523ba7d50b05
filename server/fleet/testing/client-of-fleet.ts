/** Licensed clients in the database that may report machines. */

import type { Database } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { writeClientRows } from '../../testing/client-rows.ts';

/** Returns their ids in order. */
export async function buildReportingClients(
  database: Database,
  names: readonly string[],
): Promise<readonly number[]> {
  await writeClientRows(
    database,
    names.map((clientName) => ({ clientName, activationCode: `sealed ${clientName}` })),
  );
  const rows = await queryRows(
    database,
    IdRow,
    'update licensed_client set reports_machines = true returning id',
  );
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}
