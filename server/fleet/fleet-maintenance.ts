/** Deletes expired data of machines and follows the client registry, in batches, so that no transaction is long. */
import type { Database } from '../platform/database/database.ts';
import {
  deleteUnused,
  readMachinesToDelete,
  updateClientNames,
} from './fleet-maintenance-store.ts';
import { deleteMachines, lockFleet } from './intake/machine-store.ts';
import { forgetSharedKeys } from './machines/machine-identity-store.ts';

const dayMs = 24 * 3_600_000;

export interface MaintenanceResult {
  readonly deletedMachines: number;
  readonly deletedParts: number;
  readonly renamedClients: number;
}

/** @param retentionDays Machines without a report for longer are deleted. */
export async function maintainFleet(
  database: Database,
  {
    now,
    retentionDays,
    signal,
  }: { readonly now: number; readonly retentionDays: number; readonly signal: AbortSignal },
): Promise<MaintenanceResult> {
  const silentSince = now - retentionDays * dayMs;
  let deletedMachines = 0;
  for (;;) {
    signal.throwIfAborted();
    const due = await readMachinesToDelete(database, silentSince);
    if (due.length === 0) break;
    for (const [clientId, machines] of Map.groupBy(due, ({ client_id }) => client_id))
      deletedMachines += await database.transaction(async (tx) => {
        await lockFleet(tx, machines[0]?.id ?? 0);
        return deleteMachines(
          tx,
          clientId,
          machines.map(({ id }) => id),
        );
      });
  }
  await database.transaction((tx) => forgetSharedKeys(tx, now));
  const renamedClients = await updateClientNames(database);
  return { deletedMachines, renamedClients, deletedParts: await deleteUnused(database, signal) };
}
