/** The data folder of the embedded PostgreSQL: made once, opened by the same major version alone. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PostgresAccess, passwordFile } from './postgres-access.ts';
import { commandAs, giveTo, type PostgresAccount, takeOver } from './postgres-account.ts';
import {
  isUnusable,
  type PostgresBinaries,
  programPath,
  unusableBinary,
} from './postgres-binaries.ts';
import { EmbeddedPostgresError } from './postgres-error.ts';

/** The superuser, which only the supervisor signs in as. */
export const superuser = 'postgres';

const execute = promisify(execFile);

export interface ClusterOptions {
  readonly binaries: PostgresBinaries;
  readonly account: PostgresAccount | null;
  /** The private folder of the embedded PostgreSQL in DATA_DIR. */
  readonly folder: string;
  readonly access: PostgresAccess['kind'];
}

/** Before the first release the database was another one, whose files nothing reads any more. */
export function refuseEarlierState(dataDir: string): void {
  const earlier = join(dataDir, 'database');
  if (existsSync(join(earlier, 'PG_VERSION')))
    throw new EmbeddedPostgresError(
      `${earlier} holds a database of a state before the first release, which this version does not open. Give the service another DATA_DIR, or move that folder away.`,
    );
}

/** @returns the data folder. */
export async function prepareCluster(options: ClusterOptions): Promise<string> {
  const data = join(options.folder, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) {
    assertSameMajor(data, options.binaries.major);
    takeOver(options.account, data);
  } else await makeCluster(options, data);
  return data;
}

function assertSameMajor(data: string, major: number): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found === String(major)) return;
  throw new EmbeddedPostgresError(
    `The database in ${data} was made by PostgreSQL ${found}; this version brings PostgreSQL ${major}. ` +
      'Carry it over: with the former version of this service run "npm run backup -- patches.dump", then with this one, and another DATA_DIR, "npm run restore -- patches.dump".',
  );
}

/** Makes the cluster beside its place and moves it there when it is complete, so that none is ever half made. */
async function makeCluster(options: ClusterOptions, data: string): Promise<void> {
  const { binaries, account, folder, access } = options;
  const made = join(folder, 'new');
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { mode: 0o700 });
  giveTo(account, made);
  const password = passwordFile(folder);
  const initdb = programPath(binaries, 'initdb');
  const { program, args, ...as } = commandAs(
    account,
    initdb,
    [
      `--pgdata=${made}`,
      `--username=${superuser}`,
      '--encoding=UTF8',
      // The same order of text on every machine.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      // One call for the whole file system in place of one for each of a thousand files.
      ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
      '--auth-local=trust',
      '--auth-host=scram-sha-256',
      ...(access === 'loopback' ? [`--pwfile=${password}`] : []),
    ],
    [made],
  );
  try {
    await execute(program, [...args], {
      ...as,
      cwd: account === null ? folder : '/',
      env: postgresEnvironment(),
      timeout: 120_000,
    });
  } catch (error) {
    const failed = error as Error & { readonly code?: unknown; readonly stderr?: string };
    if (isUnusable(failed.code)) throw unusableBinary(initdb, failed);
    throw new EmbeddedPostgresError(
      `The database could not be made in ${made}: ${lastLines(failed.stderr ?? failed.message)} Make room or correct the folder, or set DATABASE_URL.`,
      { cause: error },
    );
  }
  renameSync(made, data);
}

/** Messages in English, and nothing of the service's own environment (which may hold secrets). */
export const postgresEnvironment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.platform === 'win32' && { SystemRoot: process.env['SystemRoot'] ?? '' }),
});

/** The lines of a program's output that name its failure. */
export function lastLines(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^[\d-]+ [\d:.]+ UTC \[\d+\] /, '').trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) =>
    /fatal|panic|error|could not|no space|unrecognized|invalid/i.test(line),
  );
  return (telling.length > 0 ? telling : lines).slice(-3).join(' ').slice(0, 600);
}
