/** The work of the intake thread: takes in reports, one request beside another. */
import { serverDatabase } from '../platform/database/server-database.ts';
import { sendEvent, serveThread, type ThreadOwner } from '../platform/threads/serve-thread.ts';
import { IntakeMemory } from './intake-memory.ts';
import { failedIntake, type IntakeEvent, type IntakeTask } from './intake-messages.ts';
import { takeReports } from './take-reports.ts';
import { yieldProcessors } from './yield-processors.ts';

export interface IntakeThreadStart {
  readonly databaseUrl: string;
}

const connections = 2;

/** `take` is a parameter so that tests can make a thread that fails. */
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
        (error: unknown) => send({ kind: 'failed', id, failed: failedIntake(error) }),
      ),
    stop: () => database.close(),
  });
}
