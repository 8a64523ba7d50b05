/** Compares the list of machines that miss a record, and the numbers beside it, with machines that were judged anew. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { expect } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { MachinePolicies } from '../due/machine-policies.ts';
import { readExposure } from '../missing/machine-exposure-store.ts';
import { missingCriteria } from '../missing/missing-criteria.ts';

/**
 * @param name The record as the criterion `misses` names it.
 * @param judged The machines that certainly miss it, those of them on which it is overdue, and the number of all machines.
 */
export async function expectExposure(
  database: Database,
  name: string,
  now: number,
  judged: {
    readonly certain: readonly number[];
    readonly overdue: readonly number[];
    readonly machines: number;
  },
): Promise<void> {
  const evaluators = missingCriteria(database, () => now).get(machineList.key);
  const list = async (criterion: 'misses' | 'overdue') => {
    const definition = getField(machineList, criterion);
    const test = { kind: 'compared', comparison: '=', value: name } as const;
    const listed = await evaluators?.[criterion]?.({ ...test, name: criterion, definition }, null);
    return listed?.toSorted((a, b) => a - b);
  };
  expect(await list('misses')).toEqual(judged.certain.toSorted((a, b) => a - b));
  expect(await list('overdue')).toEqual(judged.overdue.toSorted((a, b) => a - b));
  const policies = new MachinePolicies();
  const { machines, overdue, ...numbers } = await readExposure(database, name, { now, policies });
  expect([machines, numbers.missing]).toEqual([judged.machines, judged.certain.length]);
  expect(overdue).toBe(judged.overdue.length);
  expect(Object.values(numbers).reduce((sum, number) => sum + number, 0)).toBe(machines);
}
