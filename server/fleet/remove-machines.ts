/** Deletes single machines: by the client that has reported them, or by an administrator. */
import { AppError } from '../platform/errors/app-error.ts';
import {
  deleteMachines,
  lockAllowedFleet,
  lockFleetOf,
  type NamedMachine,
  namedMachine,
} from './machine-store.ts';
import { knownReports } from './sent-report-store.ts';
import type { FleetContext } from './take-reports.ts';

/** By the client itself. */
export async function removeReported(
  { database }: FleetContext,
  clientId: number,
  key: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockAllowedFleet(tx, clientId);
    const known = await knownReports(tx, clientId, [key]);
    const ids = [...known.values()].map(({ id }) => id);
    if ((await deleteMachines(tx, clientId, ids)) === 0)
      throw new AppError('not_found', `This client has no machine with the key ${key}.`);
  });
}

/** By an administrator. Answers the machine's name. */
export async function removeMachine({ database }: FleetContext, id: number): Promise<NamedMachine> {
  return database.transaction(async (tx) => {
    const clientId = await lockFleetOf(tx, id);
    const machine = await namedMachine(tx, id);
    if (machine === null) throw new AppError('not_found', `There is no machine ${id}.`);
    await deleteMachines(tx, clientId, [id]);
    return machine;
  });
}
