/** Compares the list of machines that miss a record, and the numbers beside it, with machines that were judged anew. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { expect } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { readExposure } from '../missing/machine-exposure-store.ts';
import { missingCriteria } from '../missing/missing-criteria.ts';

/**
 * @param name The record as the criterion `misses` names it.
 * @param judged The machines that certainly miss it, and the number of all machines.
 */
export async function expectExposure(
  database: Database,
  name: string,
  now: number,
  judged: { readonly certain: readonly number[]; readonly machines: number },
): Promise<void> {
  const misses = missingCriteria(database, () => now).get(machineList.key)?.['misses'];
  const listed = await misses?.({
    kind: 'compared',
    comparison: '=',
    value: name,
    name: 'misses',
    definition: getField(machineList, 'misses'),
  });
  expect(listed).toEqual(judged.certain.toSorted((a, b) => a - b));
  const { machines, ...numbers } = await readExposure(database, name, now);
  expect([machines, numbers.missing]).toEqual([judged.machines, judged.certain.length]);
  expect(Object.values(numbers).reduce((sum, number) => sum + number, 0)).toBe(machines);
}
