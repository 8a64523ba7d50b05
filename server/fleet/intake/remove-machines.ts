/** Deletes single machines, on request of their client or of an administrator. */
import { AppError } from '../../platform/errors/app-error.ts';
import {
  deleteMachines,
  lockAllowedFleet,
  lockFleet,
  type MachineSummary,
  readMachineSummary,
} from './machine-store.ts';
import { readKnownReports } from './sent-report-store.ts';
import type { FleetContext } from './take-reports.ts';

/** Deletes a machine on request of its client. */
export async function removeReported(
  { database }: FleetContext,
  clientId: number,
  key: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockAllowedFleet(tx, clientId);
    const known = await readKnownReports(tx, clientId, [key]);
    const ids = [...known.values()].map(({ id }) => id);
    if ((await deleteMachines(tx, clientId, ids)) === 0)
      throw new AppError('not_found', `This client has no machine with the key ${key}.`);
  });
}

/** Deletes a machine on request of an administrator and returns its description. */
export async function removeMachine(
  { database }: FleetContext,
  id: number,
): Promise<MachineSummary> {
  return database.transaction(async (tx) => {
    const clientId = await lockFleet(tx, id);
    const machine = await readMachineSummary(tx, id);
    if (machine === null) throw new AppError('not_found', `Machine ${id} does not exist.`);
    await deleteMachines(tx, clientId, [id]);
    return machine;
  });
}
