/** Creates the data folder of the embedded PostgreSQL once. Only the same major version can open it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PostgresAccess, passwordFile } from './postgres-access.ts';
import {
  changeOwner,
  changeOwnerOfAll,
  commandAs,
  type PostgresAccount,
} from './postgres-account.ts';
import {
  EmbeddedPostgresError,
  isUnusable,
  type PostgresBinaries,
  programPath,
  unusableBinaryError,
} from './postgres-binaries.ts';

/** The superuser. Only the supervisor signs in with it. */
export const superuser = 'postgres';

const execute = promisify(execFile);

export interface ClusterOptions {
  readonly binaries: PostgresBinaries;
  readonly account: PostgresAccount | null;
  /** The private folder of the embedded PostgreSQL in DATA_DIR. */
  readonly folder: string;
  readonly access: PostgresAccess['kind'];
}

/** @throws EmbeddedPostgresError for the database of a version before the first release, which no version reads any more. */
export function refuseEarlierState(dataDir: string): void {
  const earlier = join(dataDir, 'database');
  if (existsSync(join(earlier, 'PG_VERSION')))
    throw new EmbeddedPostgresError(
      `${earlier} contains a database from before the first release, which this version cannot open. Give the service another DATA_DIR, or move that folder away.`,
    );
}

/** Creates the data folder if it does not exist, and returns its path. */
export async function prepareCluster(options: ClusterOptions): Promise<string> {
  const data = join(options.folder, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) {
    assertSameMajor(data, options.binaries.major);
    try {
      changeOwnerOfAll(options.account, data);
    } catch (error) {
      throw new EmbeddedPostgresError(
        `The database in ${data} cannot be made the property of its account: ${(error as Error).message}. Nothing is lost. Run chown -R ${options.account?.name ?? process.getuid?.()} '${data}' as root and start again, or set DATABASE_URL.`,
        { cause: error },
      );
    }
  } else await makeCluster(options, data);
  return data;
}

function assertSameMajor(data: string, major: number): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found === String(major)) return;
  throw new EmbeddedPostgresError(
    `The database in ${data} was made by PostgreSQL ${found}; this version brings PostgreSQL ${major}. ` +
      'To migrate it, run "npm run backup -- patches.dump" with the former version of this service, then "npm run restore -- patches.dump" with this version and another DATA_DIR.',
  );
}

const newPrefix = 'new';

/**
 * Makes the cluster in a temporary folder and renames it when complete, so that no incomplete cluster is ever used. The folder has a name
 * of its own: the initdb of a service that was killed may still write to the last one.
 */
async function makeCluster(options: ClusterOptions, data: string): Promise<void> {
  const { binaries, account, folder, access } = options;
  for (const name of readdirSync(folder))
    if (name.startsWith(newPrefix))
      rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
  const newFolder = mkdtempSync(join(folder, newPrefix));
  changeOwner(account, newFolder);
  const password = passwordFile(folder);
  const initdb = programPath(binaries, 'initdb');
  const { program, args, ...as } = commandAs(
    account,
    initdb,
    [
      `--pgdata=${newFolder}`,
      `--username=${superuser}`,
      '--encoding=UTF8',
      // Text sorts the same on every machine.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      // One sync of the file system instead of one for each of a thousand files.
      ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
      '--auth-local=trust',
      '--auth-host=scram-sha-256',
      ...(access === 'loopback' ? [`--pwfile=${password}`] : []),
    ],
    [newFolder],
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
    if (isUnusable(failed.code)) throw unusableBinaryError(initdb, failed);
    throw new EmbeddedPostgresError(
      `The database could not be created in ${newFolder}: ${lastLines(failed.stderr ?? failed.message)} Free disk space or correct the folder, or set DATABASE_URL.`,
      { cause: error },
    );
  }
  renameSync(newFolder, data);
}

/** Makes PostgreSQL write English messages, and hides the service's environment, which may contain secrets. */
export const postgresEnvironment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.platform === 'win32' && { SystemRoot: process.env['SystemRoot'] ?? '' }),
});

/** Returns up to three lines of a program's output that describe its failure. */
export function lastLines(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^[\d-]+ [\d:.]+ UTC \[\d+\] /, '').trim())
    .filter((line) => line !== '');
  const errors = lines.filter((line) =>
    /fatal|panic|error|could not|no space|unrecognized|invalid/i.test(line),
  );
  return (errors.length > 0 ? errors : lines).slice(-3).join(' ').slice(0, 600);
}
