/** Errors that end by themselves, or once somebody has made room. */
import { DatabaseError } from './database-error.ts';

/** Ours first; then names that do not resolve, connections refused by a server that is full, starting or stopping. */
const awayCode =
  /^(connection|timeout|pool_full|closed|EAI_AGAIN|ENETUNREACH|08...|53300|57P0[1-5])$/;

/** The database cannot be asked just now: unreachable, starting, stopping, too busy. */
export function isDatabaseUnavailable(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && awayCode.test(error.code);
}

/** A file of the database, or of DATA_DIR, could not be written for want of room. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  ['53100', 'ENOSPC'].includes(String((error as { code?: unknown }).code));
