/** Converts what the driver throws, at one place, so that a lost server is recognized however it shows. */
import { DatabaseError as ServerError } from 'pg';
import { DatabaseError } from './database-error.ts';
import { lostState } from './database-unavailable.ts';

/** Errors of the driver itself, which have no code. */
const lostMessage =
  /^(Connection terminated|Client has encountered|Client was closed|timeout expired|The server does not support SSL|There was an error establishing an SSL)/;

/** Returns errors of other kinds, such as those of wrong parameters, unchanged. */
export function driverError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  if (error.message === 'Query read timeout' || (error as { code?: unknown }).code === '57014')
    return new DatabaseError('timeout', 'The database did not respond in time');
  if (error.message.startsWith('Cannot use a pool after calling end'))
    return new DatabaseError('closed', 'The service is stopping and has closed its database');
  if (isLost(error))
    return new DatabaseError(
      'connection',
      `The PostgreSQL server cannot be reached: ${toReason(error)}`,
    );
  if (!(error instanceof ServerError)) return error;
  const { code = '', constraint = null, detail = '' } = error;
  const message = detail === '' ? error.message : `${error.message}: ${detail}`;
  return new DatabaseError(code, message, constraint);
}

/** Codes of other errors than the server's are of the operating system (no socket, refused, reset, unresolved), a stream or TLS. */
function isLost(error: Error): boolean {
  const { code } = error as { readonly code?: unknown };
  if (error instanceof ServerError) return lostState.test(String(code));
  if (typeof code === 'string') return !code.startsWith('ERR_INVALID_ARG');
  return lostMessage.test(error.message);
}

/** A name with several addresses fails with an error for each, and has no message of its own. */
const toReason = (error: Error): string =>
  error instanceof AggregateError && error.message === ''
    ? error.errors
        .map((each: unknown) => (each instanceof Error ? each.message : String(each)))
        .join(', ')
    : error.message;
