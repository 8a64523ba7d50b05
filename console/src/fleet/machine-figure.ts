/** Links a number of machines to the search that finds them. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';

export const toMachineFigure = (count: number, criteria: Figure['criteria']): Figure => ({
  list: machineList.key,
  criteria,
  totalCount: count,
  updateCount: count,
});

/** Matches machines whose release the catalogue does not have. */
export const notJudgedCriterion = {
  paramName: 'notJudged',
  operator: 'equal',
  value: true,
} as const satisfies Figure['criteria'][number];
