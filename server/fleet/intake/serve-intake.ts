/** The work of the intake thread: reads and processes reports, several requests at a time. */
import { type CallThreadStart, serveCalls } from '../../platform/threads/serve-calls.ts';
import { type ThreadOwner, yieldProcessors } from '../../platform/threads/serve-thread.ts';
import { takeReportBody } from './intake.ts';
import { IntakeMemory } from './intake-memory.ts';
import { takeReports } from './take-reports.ts';

export interface IntakeCall {
  readonly clientId: number;
  /** JSON as it was sent: parsing and checking 16 MB would delay the calling thread. */
  readonly body: Uint8Array;
}

/** @param take Replaced by tests of failing threads. */
export function serveIntake(owner: ThreadOwner, start: CallThreadStart, take = takeReports): void {
  yieldProcessors();
  const memory = new IntakeMemory();
  serveCalls(owner, start, (database) => {
    const context = { database, clock: Date.now };
    return ({ clientId, body }: IntakeCall) =>
      takeReportBody(body, (machines) => take(context, clientId, machines, memory));
  });
}
