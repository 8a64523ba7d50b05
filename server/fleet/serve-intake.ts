/** The work of the intake thread: takes in reports, one request beside another, until it is told to stop. */
import type { MessagePort } from 'node:worker_threads';
import type { Database } from '../platform/database/database.ts';
import { databaseOver } from '../platform/database/port-database.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { IntakeMemory } from './intake-memory.ts';
import {
  failedIntake,
  type IntakeNews,
  type IntakeOrder,
  type IntakeThreadStart,
} from './intake-messages.ts';
import { takeReports } from './take-reports.ts';

const connections = 2;

function databaseOf(
  { port, databaseUrl }: IntakeThreadStart,
  onLost: (error: Error) => void,
): Database {
  if (port !== null) return databaseOver(port);
  if (databaseUrl === null) throw new Error('The intake thread was given no database');
  return serverDatabase({ url: databaseUrl, connections, onLost });
}

/** `take` is a parameter so that tests can make a thread that fails. */
export function serveIntake(
  owner: Pick<MessagePort, 'postMessage' | 'on'>,
  start: IntakeThreadStart,
  take = takeReports,
): void {
  const tell = (news: IntakeNews) => owner.postMessage(news);
  const database = databaseOf(start, ({ message }) => tell({ kind: 'lost', message }));
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
