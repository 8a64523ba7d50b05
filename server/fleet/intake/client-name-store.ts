/** Copies changed names of clients and groups to their machines. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { raiseRevision } from '../../platform/database/rows/list-revision-store.ts';
import { truncateFolded } from '../../platform/database/rows/stored-row.ts';
import { machineId } from '../machines/machine-number.ts';
import { lockFleet } from './machine-store.ts';

const RenamedRow = z.object({ id: z.number(), client_name: z.string() });

/** Copies changed client names to machines, which store them so that lists can be sorted by client. */
export async function updateClientNames(database: Database): Promise<number> {
  const renamed = await queryRows(
    database,
    RenamedRow,
    `select reporting_fleet.id, reporting_fleet.name as client_name from fleet_client join reporting_fleet on reporting_fleet.id = fleet_client.client_id
     where exists(select from machine where machine.client_id = fleet_client.client_id and client is distinct from reporting_fleet.name)`,
  );
  for (const { id, client_name } of renamed)
    await database.transaction(async (tx) => {
      await lockFleet(tx, machineId(id, 0));
      const revision = await raiseRevision(tx, machineList, 0);
      await tx.query(
        'update machine set client = $2, client_folded = $3, revision = $4 where client_id = $1 and client is distinct from $2',
        [id, client_name, truncateFolded(fold(client_name)), revision],
      );
    });
  return renamed.length;
}
