/** Runs a command at the terminal: an expected error prints one sentence without a stack, and exits with 1. */

import { inspect } from 'node:util';
import { isSystemError } from '@patch/contract/base/error-code.ts';
import { DatabaseError } from '../database/database-error.ts';
import { StartupError } from '../errors/startup-error.ts';
import { createPrivateFiles } from '../files/private-files.ts';

export const printLine = (line: string) => void process.stdout.write(`${line}\n`);

type ErrorClass = abstract new (...parameters: never[]) => Error;

const plainErrors: readonly ErrorClass[] = [StartupError, DatabaseError];

/** Prints errors of the classes above and of `expected` as a message only, and all others with their stack. */
export async function runCommand(
  work: () => Promise<void>,
  expected: readonly ErrorClass[] = [],
): Promise<void> {
  createPrivateFiles();
  try {
    await work();
  } catch (error) {
    const isPlain =
      [...plainErrors, ...expected].some((kind) => error instanceof kind) || isSystemError(error);
    process.stderr.write(`${isPlain ? (error as Error).message : inspect(error)}\n`);
    process.exitCode = 1;
  }
}
