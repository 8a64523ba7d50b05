/** A command at the terminal: what is wrong is one sentence and the end with 1, not a stack. */

import { inspect } from 'node:util';
import { isSystemError } from '@patch/contract/error-code.ts';
import { StartupError } from '../config/startup-error.ts';
import { DatabaseError } from '../database/database-error.ts';
import { MigrationError } from '../database/migrate.ts';
import { createPrivateFiles } from '../files/private-files.ts';
import { FolderInUse } from '../postgres/folder-lock.ts';
import { EmbeddedPostgresError } from '../postgres/postgres-error.ts';

export const say = (line: string) => void process.stdout.write(`${line}\n`);

type ErrorClass = abstract new (...parameters: never[]) => Error;

const plainErrors: readonly ErrorClass[] = [
  StartupError,
  FolderInUse,
  EmbeddedPostgresError,
  MigrationError,
  DatabaseError,
];

/** Runs `work`. Prints an error of the classes above, or of `expected`, as its message alone; any other with its stack. */
export async function command(
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
