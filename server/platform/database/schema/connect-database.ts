/** Opens the database when the service starts, begins an epoch, and waits for a PostgreSQL server that is still starting. */
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { serverAddress } from '../../config/server-address.ts';
import { StartupError } from '../../errors/startup-error.ts';
import type { Log } from '../../logging/logging.ts';
import type { Queryable } from '../database.ts';
import { DatabaseError } from '../database-error.ts';
import { isDatabaseUnavailable } from '../database-unavailable.ts';
import { queryValues } from '../query-rows.ts';
import { beginEpoch } from '../rows/epoch-store.ts';
import { type OpenDatabase, type OpenOptions, openDatabase } from './open-database.ts';

const waitTimeoutMs = 30_000;
const retryDelayMs = 1_000;

export async function connectDatabase(
  {
    dataDir,
    databaseUrl,
    postgresSettings,
  }: Pick<Config, 'dataDir' | 'databaseUrl' | 'postgresSettings'>,
  log: Log,
  onLost?: OpenOptions['onLost'],
  waitMs = waitTimeoutMs,
): Promise<OpenDatabase> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      const opened = await openDatabase({
        dataDir,
        databaseUrl,
        postgresSettings,
        log,
        ...(onLost && { onLost }),
      });
      await beginEpoch(opened).catch(async (error: unknown) => {
        await opened.close();
        throw error;
      });
      const superuser = databaseUrl === null ? null : await superuserName(opened);
      if (superuser !== null)
        log.warn(
          { role: superuser },
          `The role "${superuser}" of the database is a superuser, which can run programs on its host. Use a role that only owns the database: docs/how-to/run-with-postgresql.md`,
        );
      return opened;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() >= deadline)
        throw toStartupError(error, databaseUrl);
      const server = databaseUrl === null ? 'embedded' : serverAddress(databaseUrl);
      log.warn({ server, reason: error.message }, 'waiting for the database');
      await after(retryDelayMs);
    }
  }
}

function toStartupError(error: unknown, databaseUrl: string | null): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (databaseUrl === null) return isDatabaseUnavailable(error) ? lostAtStart(error) : error;
  const problem = isDatabaseUnavailable(error) ? 'cannot be reached' : 'refuses the connection';
  const advice = isDatabaseUnavailable(error)
    ? 'Start it, or correct DATABASE_URL.'
    : 'Correct DATABASE_URL.';
  return new StartupError(
    `The PostgreSQL server at ${serverAddress(databaseUrl)} ${problem}: ${getReason(error)}. ${advice}`,
    { cause: error },
  );
}

/** Returns the error for a database that was lost while the service or a command started. */
export const lostAtStart = (error: DatabaseError): StartupError =>
  new StartupError(
    `The database stopped responding during the start. Nothing is lost: start again when it responds. Reason: ${error.message}`,
    { cause: error },
  );

/** Removes the beginning of 'The PostgreSQL server cannot be reached: connect ECONNREFUSED …', which the caller repeats. */
const getReason = (error: Error) =>
  error.message.replace(/^The PostgreSQL server cannot be reached: /, '').replace(/\.$/, '') ||
  'it gives no reason';

/** Returns the name of the role if it is a superuser, else null. */
async function superuserName(database: Queryable): Promise<string | null> {
  const [name = null] = await queryValues(
    database,
    z.string(),
    'select rolname from pg_roles where rolname = current_user and rolsuper',
  );
  return name;
}
