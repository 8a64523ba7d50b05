/** Sums up the machines of a group, with the updates that most of them have to install. */
import type { FleetSummary } from '@patch/contract/fleet/machine-endpoints.ts';
import { readShownRecords } from '../../machines/machine-records-store.ts';
import type { MachinePolicies } from '../due/machine-policies.ts';
import { countMissedRecords, readMachineSums } from '../missing/fleet-summary-store.ts';
import type { PlanWork } from './machine-reader.ts';
import { findMachineSteps } from './machine-steps.ts';
import { readReferences } from './planned-machine-store.ts';

const mostRecords = 10;

/** @param within The machines of the group. The trend is kept of all machines together. */
export async function readGroupSummary(
  work: PlanWork,
  within: ReadonlySet<number>,
  policies: MachinePolicies,
): Promise<FleetSummary> {
  const machines = new Map<number, number>();
  for await (const { steps } of findMachineSteps(work, within, 'all'))
    for (const { stepId } of steps) machines.set(stepId, (machines.get(stepId) ?? 0) + 1);
  const most = [...machines].toSorted(([a, x], [b, y]) => y - x || a - b).slice(0, mostRecords);
  const references = await readReferences(
    work.database,
    most.map(([id]) => id),
  );
  const shown = await readShownRecords(work.database, [...references.values()]);
  const rows = Array.from(
    shown.values(),
    ({ list, recordId, identifier, title, severity, exploited }) => ({
      list,
      recordId,
      identifier,
      title,
      severity,
      exploited,
    }),
  );
  return {
    ...(await readMachineSums(work.database, within, { now: work.now, policies })),
    records: await countMissedRecords(work.database, rows, work.now, within),
    trend: [],
    talliedOn: work.now,
  };
}
