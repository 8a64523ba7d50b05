/** Whether an error means that the database cannot be asked just now: unreachable, starting, stopping, too busy. */
import { DatabaseError } from './database-error.ts';

/** Ours first; then names that do not resolve, connections refused by a server that is full, starting or stopping. */
const awayCode = /^(connection|timeout|closed|EAI_AGAIN|ENETUNREACH|08...|53300|57P0[1-5])$/;

export function isDatabaseUnavailable(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && awayCode.test(error.code);
}
