/** Recognises temporary errors of the database. */
import { DatabaseError } from './database-error.ts';

/** SQLSTATEs with which the server closes a connection or opens none: it is stopping, starting or has crashed, or its time limits ended it. */
export const lostState = /^(08...|57P0[1-5]|25P0[34])$/;

/** Codes of this service (driver-error.ts has the many kinds of a lost server), and of a server with too many connections. */
const unavailableCodes: ReadonlySet<string> = new Set([
  'connection',
  'commit_unknown',
  'timeout',
  'pool_full',
  'closed',
  '53300',
]);

/** Returns true when the database is temporarily unreachable, starting, stopping or too busy. */
export function isDatabaseUnavailable(error: unknown): error is DatabaseError {
  return (
    error instanceof DatabaseError &&
    (unavailableCodes.has(error.code) || lostState.test(error.code))
  );
}

/** Returns such an error when it is the error itself, its cause, or one of several that were thrown together. */
export function findDatabaseUnavailable(error: unknown): DatabaseError | null {
  if (isDatabaseUnavailable(error)) return error;
  if (!(error instanceof Error)) return null;
  const causes: readonly unknown[] =
    error instanceof AggregateError ? [...error.errors, error.cause] : [error.cause];
  return causes.map(findDatabaseUnavailable).find((found) => found !== null) ?? null;
}

/** Returns true when the disk of the database or of DATA_DIR is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  ['53100', 'ENOSPC'].includes(String((error as { code?: unknown }).code));
