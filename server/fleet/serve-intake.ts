/** The work of the intake thread: processes reports, several requests at a time. */
import type { ReportedMachine } from '@patch/contract/machine-report-endpoints.ts';
import { type CallThreadStart, serveCalls } from '../platform/threads/serve-calls.ts';
import type { ThreadOwner } from '../platform/threads/serve-thread.ts';
import { yieldProcessors } from '../platform/threads/yield-processors.ts';
import { IntakeMemory } from './intake-memory.ts';
import { takeReports } from './take-reports.ts';

export interface IntakeCall {
  readonly clientId: number;
  readonly machines: readonly ReportedMachine[];
}

/** @param take Replaced by tests of failing threads. */
export function serveIntake(owner: ThreadOwner, start: CallThreadStart, take = takeReports): void {
  yieldProcessors();
  const memory = new IntakeMemory();
  serveCalls(owner, start, (database) => {
    const context = { database, clock: Date.now };
    return ({ clientId, machines }: IntakeCall) => take(context, clientId, machines, memory);
  });
}
