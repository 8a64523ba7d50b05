/** Processes the reports of clients: in a thread of its own in the service, in the calling thread in tests and tools. */
import type { ReportOutcome } from '@patch/contract/machine-report-endpoints.ts';
import { takeReportBody } from './take-report-body.ts';
import { type FleetContext, takeReports } from './take-reports.ts';

export interface Intake {
  /**
   * Processes the machines of a body as `takeReports` does, and returns their outcomes in order.
   * @param body JSON as `reportMachinesEndpoint` describes it.
   * @throws AppError `not_json`, `too_large` or `invalid_input` for the body, `busy` when too many wait or the thread has ended,
   * and `caller_left` when `signal` is aborted before it begins.
   */
  take(clientId: number, body: Uint8Array, signal: AbortSignal): Promise<readonly ReportOutcome[]>;
}

export const intakeHere = (context: FleetContext): Intake => ({
  take: (clientId, body) =>
    takeReportBody(body, (machines) => takeReports(context, clientId, machines)),
});
