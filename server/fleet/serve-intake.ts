/** The work of the intake thread: takes in reports, one request beside another, until it is told to stop. */
import type { MessagePort } from 'node:worker_threads';
import { serverDatabase } from '../platform/database/server-database.ts';
import { IntakeMemory } from './intake-memory.ts';
import { failedIntake, type IntakeNews, type IntakeOrder } from './intake-messages.ts';
import { takeReports } from './take-reports.ts';
import { yieldProcessors } from './yield-processors.ts';

export interface IntakeThreadStart {
  readonly databaseUrl: string;
}

const connections = 2;

/** `take` is a parameter so that tests can make a thread that fails. */
export function serveIntake(
  owner: Pick<MessagePort, 'postMessage' | 'on'>,
  { databaseUrl }: IntakeThreadStart,
  take = takeReports,
): void {
  yieldProcessors();
  const tell = (news: IntakeNews) => owner.postMessage(news);
  const database = serverDatabase({
    url: databaseUrl,
    connections,
    onLost: ({ message }) => tell({ kind: 'lost', message }),
  });
  const memory = new IntakeMemory();
  owner.on('message', (order: IntakeOrder) => {
    if (order.order === 'stop') {
      void database.close().then(() => process.exit(0));
      return;
    }
    const { id, clientId, machines } = order;
    take({ database, clock: Date.now }, clientId, machines, memory).then(
      (outcomes) => tell({ kind: 'taken', id, outcomes }),
      (error: unknown) => tell({ kind: 'failed', id, failed: failedIntake(error) }),
    );
  });
}
