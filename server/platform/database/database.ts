/** The interface to PostgreSQL, embedded or a server, that stores use. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

export interface QueryResult {
  /** Unchecked rows of the driver; `queryRows` parses them. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Number of inserted, updated, deleted or selected rows. */
  readonly count: number;
}

export interface QueryLimits {
  /** Cancels the statement in PostgreSQL: it then rejects with a DatabaseError of the code 'cancelled'. */
  readonly signal?: AbortSignal;
}

/** Returns bigint and numeric as JavaScript numbers and jsonb as values. Times are epoch milliseconds, never timestamptz. */
export interface Queryable {
  /**
   * Runs one statement.
   * @throws DatabaseError
   */
  query(text: string, values?: readonly unknown[], limits?: QueryLimits): Promise<QueryResult>;
}

/** A source for reading lists. Its own `query` uses the database itself. */
export interface ListSource extends Queryable {
  /**
   * Returns the target of statements about these lists: a server with everything committed to them before. Absent: the database
   * itself.
   */
  selectReader?(lists: readonly ListDefinition[]): Queryable;
}

/** Returns the target of statements about these lists. */
export const selectReader = (source: ListSource, ...lists: readonly ListDefinition[]): Queryable =>
  source.selectReader?.(lists) ?? source;

/** One connection inside an open transaction. */
export interface Session extends Queryable {
  /** Runs several statements without parameters, such as a migration. */
  script(text: string): Promise<void>;
}

export interface DatabaseLoad {
  /** Number of connections, including idle ones. */
  readonly open: number;
  readonly idle: number;
  /** Number of statements and transactions that wait for a connection. */
  readonly waiting: number;
}

export interface Database extends Session {
  /** Returns the load of this process's connections; absent if not measured. */
  load?(): DatabaseLoad;
  /** Commits when the work resolves, and rolls back when it rejects. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Separate connection pools, so that these uses wait neither for each other nor for the rest of the service. */
export interface Pools {
  /** Statements over complete lists, which may take long. */
  readonly searches: Database;
  /** Sign-ins, the sessions of requests, and the audit log. */
  readonly signIns: Database;
}
