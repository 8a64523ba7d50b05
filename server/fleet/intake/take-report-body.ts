/** Reads the machines of a report's body, and has those that can be stored taken in. */
import {
  type ReportedMachine,
  type ReportOutcome,
  reportMachinesEndpoint,
} from '@patch/contract/machine-report-endpoints.ts';
import { readJsonBody } from '../../platform/http/read-json-body.ts';
import { splitMachines } from './unreadable-machines.ts';

/**
 * Returns one outcome for each sent machine, in order.
 * @throws AppError `too_large`, `not_json`, `invalid_input`, and what `take` throws.
 */
export async function takeReportBody(
  body: Uint8Array,
  take: (machines: readonly ReportedMachine[]) => Promise<readonly ReportOutcome[]>,
): Promise<readonly ReportOutcome[]> {
  const split = splitMachines(readJsonBody(reportMachinesEndpoint, body).machines);
  return split.outcomes(await take(split.readable));
}
