/** Processes the reports of clients: in a thread of its own in the service, in the calling thread in tests and tools. */
import type { ReportedMachine, ReportOutcome } from '@patch/contract/machine-report-endpoints.ts';
import { type FleetContext, takeReports } from './take-reports.ts';

export interface Intake {
  /**
   * Processes a report as `takeReports` does.
   * @throws AppError `busy` when too many wait or the thread has ended, and `caller_left` when `signal` is aborted before it
   * begins.
   */
  take(
    clientId: number,
    machines: readonly ReportedMachine[],
    signal: AbortSignal,
  ): Promise<readonly ReportOutcome[]>;
}

export const intakeHere = (context: FleetContext): Intake => ({
  take: (clientId, machines) => takeReports(context, clientId, machines),
});
