/** Recognises temporary errors of the database. */
import { DatabaseError } from './database-error.ts';

/** Codes of this service, of unresolved names, and of a server that is full, starting or stopping. */
const unavailableCode =
  /^(connection|timeout|pool_full|closed|EAI_AGAIN|ENETUNREACH|08...|53300|57P0[1-5])$/;

/** Returns true when the database is temporarily unreachable, starting, stopping or too busy. */
export function isDatabaseUnavailable(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && unavailableCode.test(error.code);
}

/** Returns true when the disk of the database or of DATA_DIR is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  ['53100', 'ENOSPC'].includes(String((error as { code?: unknown }).code));
