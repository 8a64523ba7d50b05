/** Finds the machines that exist for a caller, as the list of machines shows them. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Sight } from '../../platform/http/sight.ts';
import { createSearch } from '../criteria/search-request.ts';
import type { SearchStore } from './search-store.ts';

/** Numbers of machines; null: all. */
export type SeenMachines = ReadonlySet<number> | null;

/** @throws AppError `unaskable_criteria` when the criteria of a group are no longer valid. */
export async function findSeenMachines(
  store: Pick<SearchStore, 'findIds'>,
  sight: Sight,
): Promise<SeenMachines> {
  if (sight.groups === null) return null;
  const page = { offset: 0, size: 1, sort: 'id' };
  return new Set(await store.findIds(createSearch(machineList, page, { conditions: [] }, sight)));
}

/** @throws AppError `not_found` for a machine that does not exist for the caller. */
export async function assertSeen(
  store: Pick<SearchStore, 'findIds'>,
  sight: Sight,
  machineId: number,
): Promise<void> {
  if ((await findSeenMachines(store, sight))?.has(machineId) === false)
    throw new AppError('not_found', `Machine ${machineId} does not exist.`);
}
