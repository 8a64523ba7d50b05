/** Connects to a PostgreSQL server with a small pool of connections. */
import {
  type CustomTypesConfig,
  types as driverTypes,
  Pool,
  type PoolClient,
  type QueryConfig,
} from 'pg';
import type { Database, QueryLimits, QueryResult, Session } from './database.ts';
import { DatabaseError } from './database-error.ts';
import { isDatabaseUnavailable } from './database-unavailable.ts';
import { driverError } from './driver-error.ts';
import { KeptPlans } from './kept-plans.ts';
import { recordStatement } from './statement-durations.ts';

export interface ServerOptions {
  readonly url: string;
  /** The use of the pool for the error when no connection is free: 'searches'. */
  readonly purpose?: string;
  /** Maximum number of connections. */
  readonly connections?: number;
  /** Timeout of one statement in milliseconds; 0: none, for a sync. */
  readonly statementTimeout?: number;
  /** Timeout of opening a connection or waiting for a free one, in milliseconds. */
  readonly connectTimeout?: number;
  /** Timeout of the reply to a statement, in milliseconds, for a broken network over which the server cannot report its own timeout. */
  readonly replyTimeout?: number;
  /** Makes the server refuse writes. */
  readonly readOnly?: boolean;
  /** Called for the log when an idle connection was lost. The pool opens a new one. */
  readonly onLost?: (error: Error) => void;
}

const int8 = 20;
const numeric = 1700;
const asNumber = (text: string) => Number(text);

/** Parsers for the connections of this pool only, so that other users of the driver are unaffected. */
const types: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 || oid === numeric
      ? asNumber
      : (driverTypes.getTypeParser as (oid: number, format?: string) => (text: string) => unknown)(
          oid,
          format,
        ),
};

/**
 * The settings with which searches were measured. Every user may set them on any server. The index of records is analysed at the end of
 * each run: 20 buckets instead of 100 take a quarter of the time, from 30,000 rows on.
 */
const options =
  '-c random_page_cost=1.1 -c jit=off -c work_mem=32MB -c default_statistics_target=20';

const ignoreError = () => undefined;

/** Each idle connection is a process of the server with some megabytes. The time exceeds the poll interval of half a minute, so that polls reuse it. */
const idleTimeoutMs = 40_000;

export function serverDatabase({
  url,
  purpose = 'this work',
  connections = 10,
  statementTimeout = 30_000,
  connectTimeout = 10_000,
  replyTimeout,
  readOnly = false,
  onLost,
}: ServerOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    types,
    options: readOnly ? `${options} -c default_transaction_read_only=on` : options,
    statement_timeout: statementTimeout,
    ...(replyTimeout !== undefined && { query_timeout: replyTimeout }),
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: connectTimeout,
    idleTimeoutMillis: idleTimeoutMs,
    keepAlive: true,
    application_name: 'patch-repository',
  });
  // Without a listener, losing an idle connection would end the process.
  pool.on('error', (error) => onLost?.(error));
  // So would losing one in use: its next statement rejects. The loss may arrive with the reply that opened the connection.
  pool.on('connect', (client) => client.on('error', ignoreError));
  // The best plan of a statement of a sync depends on the size of its batch.
  const plans = statementTimeout === 0 ? null : new KeptPlans();
  const toPlainError = (error: unknown) =>
    error instanceof Error && error.message === 'timeout exceeded when trying to connect'
      ? new DatabaseError(
          'pool_full',
          `All ${connections} connections to the database for ${purpose} are in use. Try again in a moment.`,
        )
      : driverError(error);

  return {
    load: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    query(text, values = [], { signal }: QueryLimits = {}) {
      const name = plans?.nameOf(text);
      const statement = { text, values: [...values], ...(name !== undefined && { name }) };
      return signal === undefined
        ? query(pool, toPlainError, statement)
        : cancellableQuery(pool, toPlainError, statement, signal);
    },
    async script(text) {
      await query(pool, toPlainError, { text });
    },
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw toPlainError(error);
      });
      const session: Session = {
        query: (text, values = []) => query(client, toPlainError, { text, values: [...values] }),
        async script(text) {
          await query(client, toPlainError, { text });
        },
      };
      let broken = false;
      try {
        await query(client, toPlainError, { text: 'begin' });
        const result = await work(session);
        await query(client, toPlainError, { text: 'commit' }).catch((error: unknown) => {
          throw isDatabaseUnavailable(error) ? unknownCommitError(error) : error;
        });
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {
          broken = true;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

async function query(
  connection: Pool | PoolClient,
  toPlainError: (error: unknown) => unknown,
  statement: QueryConfig,
): Promise<QueryResult> {
  const start = performance.now();
  try {
    const { rows, rowCount } = await connection.query<Record<string, unknown>>(statement);
    return { rows, count: rowCount ?? 0 };
  } catch (error) {
    throw toPlainError(error);
  } finally {
    recordStatement(statement.text, performance.now() - start);
  }
}

/** Runs a statement that PostgreSQL cancels once the signal is aborted. */
async function cancellableQuery(
  pool: Pool,
  toPlainError: (error: unknown) => unknown,
  statement: QueryConfig,
  signal: AbortSignal,
): Promise<QueryResult> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toPlainError(error);
  });
  let cancelling: Promise<unknown> = Promise.resolve();
  const cancel = () => {
    const { processID } = client as PoolClient & { readonly processID: number };
    cancelling = pool.query('select pg_cancel_backend($1)', [processID]).catch(ignoreError);
  };
  try {
    if (signal.aborted) throw cancelledError();
    signal.addEventListener('abort', cancel, { once: true });
    return await query(client, toPlainError, statement);
  } catch (error) {
    throw signal.aborted ? cancelledError() : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    // The connection is released after the cancel request, which therefore cannot cancel the next statement.
    await cancelling;
    client.release();
  }
}

const cancelledError = () => new DatabaseError('cancelled', 'The caller of the statement has left');

const unknownCommitError = ({ message }: DatabaseError) =>
  new DatabaseError(
    'commit_unknown',
    `The database did not confirm a transaction, which may have been stored. ${message}`,
  );
