/** The thread's side of a CallThread: opens the database, and answers each call with a reply or a failure. */
import { DatabaseError } from '../database/database-error.ts';
import { serverDatabase } from '../database/server-database.ts';
import { AppError } from '../errors/app-error.ts';
import { sendEvent, serveThread, type ThreadOwner } from './serve-thread.ts';

export interface NumberedCall<Call> {
  readonly id: number;
  readonly call: Call;
}

export type CallEvent<Reply> =
  | { readonly kind: 'replied'; readonly id: number; readonly reply: Reply }
  | { readonly kind: 'failed'; readonly id: number; readonly failed: CallFailure }
  /** For the log. */
  | { readonly kind: 'lost'; readonly message: string };

export interface CallThreadStart {
  readonly databaseUrl: string;
}

const connections = 2;

/** @param open Returns the function that answers the calls of the CallThread with this database. */
export function serveCalls(
  owner: ThreadOwner,
  { databaseUrl }: CallThreadStart,
  open: (database: ReturnType<typeof serverDatabase>) => (call: never) => Promise<unknown>,
): void {
  const send = (event: CallEvent<unknown>) => sendEvent(owner, event);
  const database = serverDatabase({
    url: databaseUrl,
    connections,
    onLost: ({ message }) => send({ kind: 'lost', message }),
  });
  const answer = open(database);
  serveThread<NumberedCall<never>>(owner, {
    work: ({ id, call }) =>
      answer(call).then(
        (reply) => send({ kind: 'replied', id, reply }),
        (error: unknown) => send({ kind: 'failed', id, failed: toFailure(error) }),
      ),
    stop: () => database.close(),
  });
}

/** Errors lose their class and fields between threads. */
type CallFailure =
  | { readonly of: 'app'; readonly code: AppError['code']; readonly message: string }
  | { readonly of: 'database'; readonly code: string; readonly message: string }
  | { readonly of: 'other'; readonly message: string };

function toFailure(error: unknown): CallFailure {
  if (error instanceof AppError) return { of: 'app', code: error.code, message: error.message };
  if (error instanceof DatabaseError)
    return { of: 'database', code: error.code, message: error.message };
  return {
    of: 'other',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

export function toError(failed: CallFailure, thread: string): Error {
  switch (failed.of) {
    case 'app':
      return new AppError(failed.code, failed.message);
    case 'database':
      return new DatabaseError(failed.code, failed.message);
    case 'other':
      return new Error(`The ${thread} thread failed: ${failed.message}`);
  }
}
