/** Runs a command at the terminal: an expected error prints one sentence without a stack, and exits with 1. */

import { inspect } from 'node:util';
import { isSystemError } from '@patch/contract/base/error-code.ts';
import { DatabaseError } from '../database/database-error.ts';
import { isDiskFull } from '../database/database-unavailable.ts';
import { StartupError } from '../errors/startup-error.ts';
import { createPrivateFiles } from '../files/private-files.ts';
import { describeSystemFailure } from './system-failure.ts';

export const printLine = (line: string) => void process.stdout.write(`${line}\n`);

type ErrorClass = abstract new (...parameters: never[]) => Error;

const plainErrors: readonly ErrorClass[] = [StartupError, DatabaseError];

function describeError(error: unknown, expected: readonly ErrorClass[]): string {
  if (error instanceof DatabaseError && isDiskFull(error))
    return `The disk of the database is full: ${error.message}. Free some space, then run the command again.`;
  if ([...plainErrors, ...expected].some((kind) => error instanceof kind))
    return (error as Error).message;
  return isSystemError(error) ? describeSystemFailure(error) : inspect(error);
}

/** Prints errors of the classes above and of `expected` as a message only, and all others with their stack. */
export async function runCommand(
  work: () => Promise<void>,
  expected: readonly ErrorClass[] = [],
): Promise<void> {
  createPrivateFiles();
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${describeError(error, expected)}\n`);
    process.exitCode = 1;
  }
}
