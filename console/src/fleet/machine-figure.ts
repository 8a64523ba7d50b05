/** A number of machines, with the criteria that find them in the list. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';

export const machineFigure = (count: number, criteria: Figure['criteria']): Figure => ({
  list: machineList.key,
  criteria,
  totalCount: count,
  updateCount: count,
});

/** Machines of releases that the catalogue does not have. */
export const isNotJudged = {
  paramName: 'notJudged',
  operator: 'equal',
  value: true,
} as const satisfies Figure['criteria'][number];
