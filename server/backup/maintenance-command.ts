/** A command at the terminal: what is wrong is one sentence and the end with 1, not a stack. */
import { inspect } from 'node:util';
import { DatabaseError } from '../database/database-error.ts';
import { FolderInUse } from '../database/folder-lock.ts';
import { MigrationError } from '../database/migrate.ts';
import { createPrivateFiles } from '../private-files.ts';
import { StartupError } from '../startup-error.ts';
import { BrokenDump } from './dump-lines.ts';
import { RestoreRefused } from './dump-signature.ts';

export const say = (line: string) => void process.stdout.write(`${line}\n`);

const plain = [StartupError, FolderInUse, MigrationError, BrokenDump, RestoreRefused, DatabaseError];

export async function command(work: () => Promise<void>): Promise<void> {
  createPrivateFiles();
  try {
    await work();
  } catch (error) {
    const isPlain = plain.some((kind) => error instanceof kind) || (error instanceof Error && 'syscall' in error);
    process.stderr.write(`${isPlain ? (error as Error).message : inspect(error)}\n`);
    process.exitCode = 1;
  }
}
