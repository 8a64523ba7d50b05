/** Finds machines with overdue records, and the records: every number of them, and the criteria `overdue` and `overdueOn`. */
import type { Queryable } from '../../platform/database/database.ts';
import { readDatedMissing, readDatedRecords } from '../due/due-record-store.ts';
import type { MachinePolicies } from '../due/machine-policies.ts';
import { OverdueRecords } from '../due/overdue-records.ts';
import { findRecordsOfMachines } from './machine-missing-records-store.ts';
import { type MissingMarks, readMachinesOfMissing, toStanding } from './missing-marks-store.ts';

/**
 * Returns the machines that certainly miss one of the records when it is overdue there.
 * @param missingIds Ids of `missing_record`.
 * @param known The machines that miss the records, where the caller knows them: often all of the records are overdue, or none.
 */
export async function findOverdueMachines(
  database: Queryable,
  policies: MachinePolicies,
  missingIds: readonly number[],
  now: number,
  known: MissingMarks | null = null,
): Promise<ReadonlySet<number>> {
  const overdue = new OverdueRecords(await readDatedMissing(database, missingIds), now);
  const found = new Set<number>();
  for (const list of policies.lists) {
    const own = overdue.under(list);
    const marks =
      known !== null && own.size === missingIds.length
        ? known
        : await readMachinesOfMissing(database, [...own], now);
    for (const { id } of marks.machines('missing')) if (policies.of(id) === list) found.add(id);
  }
  return found;
}

/** @param within The machines to count; null for all. */
export const countWithin = (
  machines: ReadonlySet<number>,
  within: ReadonlySet<number> | null,
): number => (within === null ? machines.size : machines.intersection(within).size);

/** Returns the ids, in the list of all patches, of the records that are overdue on one of the machines. */
export async function findOverdueRecords(
  database: Queryable,
  policies: MachinePolicies,
  machineIds: readonly number[],
  now: number,
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const [list, ids] of Map.groupBy(machineIds, (id) => policies.of(id))) {
    const isWanted = (mark: number) => toStanding(mark) === 'missing';
    const missing = await findRecordsOfMachines(database, ids, { isWanted, now });
    const overdue = new OverdueRecords(await readDatedRecords(database, missing), now);
    for (const id of overdue.under(list)) found.add(id);
  }
  return [...found];
}
