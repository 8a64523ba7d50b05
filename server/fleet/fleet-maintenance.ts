/** Deletes what is no longer to be kept of machines, and follows the registry of clients: in batches, so that no transaction is long. */
import type { Database } from '../platform/database/database.ts';
import { deleteUnused, followNames, machinesToDelete } from './fleet-maintenance-store.ts';
import { forgetSharedKeys } from './machine-identity-store.ts';
import { deleteMachines, lockFleetOf } from './machine-store.ts';

const day = 24 * 3_600_000;

export interface MaintenanceResult {
  readonly deletedMachines: number;
  readonly deletedParts: number;
  readonly renamedClients: number;
}

/** `keptDays`: machines that were not reported for so long are deleted. */
export async function maintainFleet(
  database: Database,
  {
    now,
    keptDays,
    signal,
  }: { readonly now: number; readonly keptDays: number; readonly signal: AbortSignal },
): Promise<MaintenanceResult> {
  const silentSince = now - keptDays * day;
  let deletedMachines = 0;
  for (;;) {
    signal.throwIfAborted();
    const due = await machinesToDelete(database, silentSince);
    if (due.length === 0) break;
    for (const [clientId, own] of Map.groupBy(due, ({ client_id }) => client_id))
      deletedMachines += await database.transaction(async (tx) => {
        await lockFleetOf(tx, own[0]?.id ?? 0);
        return deleteMachines(
          tx,
          clientId,
          own.map(({ id }) => id),
        );
      });
  }
  await database.transaction((tx) => forgetSharedKeys(tx, now));
  const renamedClients = await followNames(database);
  return { deletedMachines, renamedClients, deletedParts: await deleteUnused(database, signal) };
}
