/** The work of the intake thread: processes reports, several requests at a time. */
import { serverDatabase } from '../platform/database/server-database.ts';
import { sendEvent, serveThread, type ThreadOwner } from '../platform/threads/serve-thread.ts';
import { IntakeMemory } from './intake-memory.ts';
import { type IntakeEvent, type IntakeTask, toFailedIntake } from './intake-messages.ts';
import { takeReports } from './take-reports.ts';
import { yieldProcessors } from './yield-processors.ts';

export interface IntakeThreadStart {
  readonly databaseUrl: string;
}

const connections = 2;

/** @param take Replaced by tests of failing threads. */
export function serveIntake(
  owner: ThreadOwner,
  { databaseUrl }: IntakeThreadStart,
  take = takeReports,
): void {
  yieldProcessors();
  const send = (event: IntakeEvent) => sendEvent(owner, event);
  const database = serverDatabase({
    url: databaseUrl,
    connections,
    onLost: ({ message }) => send({ kind: 'lost', message }),
  });
  const memory = new IntakeMemory();
  serveThread<IntakeTask>(owner, {
    work: ({ id, clientId, machines }) =>
      take({ database, clock: Date.now }, clientId, machines, memory).then(
        (outcomes) => send({ kind: 'taken', id, outcomes }),
        (error: unknown) => send({ kind: 'failed', id, failed: toFailedIntake(error) }),
      ),
    stop: () => database.close(),
  });
}
