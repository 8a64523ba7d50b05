/** Reads the machines of a report's body, and has those that can be stored taken in. */
import {
  type ReportedMachine,
  type ReportOutcome,
  reportMachinesEndpoint,
} from '@patch/contract/machine-report-endpoints.ts';
import { parseJson, readInput } from '../../platform/http/read-input.ts';
import { splitMachines } from './unreadable-machines.ts';

/**
 * Returns one outcome for each sent machine, in order.
 * @throws AppError `too_large`, `not_json`, `invalid_input`, and what `take` throws.
 */
export async function takeReportBody(
  body: Uint8Array,
  take: (machines: readonly ReportedMachine[]) => Promise<readonly ReportOutcome[]>,
): Promise<readonly ReportOutcome[]> {
  const { body: schema, maxBodyValues } = reportMachinesEndpoint;
  const { machines } = readInput('body', schema, parseJson(body, maxBodyValues));
  const split = splitMachines(machines);
  return split.outcomes(await take(split.readable));
}
