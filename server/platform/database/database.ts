/** What the stores talk to: PostgreSQL, the service's own or a server. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

export interface QueryResult {
  /** As the driver returned them, unchecked: `queryRows` gives them a type. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows inserted, updated or deleted; rows answered for a select. */
  readonly count: number;
}

export interface QueryLimits {
  /** Cancels the statement in PostgreSQL: it then rejects with a DatabaseError of the code 'cancelled'. */
  readonly signal?: AbortSignal;
  /** PostgreSQL keeps the plan for the connection. For a text that is one of few: plans are never forgotten. */
  readonly keepsPlan?: boolean;
}

/** bigint and numeric come back as JavaScript numbers, jsonb as values, timestamptz is not used (epoch milliseconds are). */
export interface Queryable {
  /** One statement. Rejects with a DatabaseError. */
  query(text: string, values?: readonly unknown[], limits?: QueryLimits): Promise<QueryResult>;
}

/** Where lists are read. Its own `query` asks the database itself. */
export interface ListSource extends Queryable {
  /**
   * Where statements about these lists are sent, each to a server that has everything that was committed to them before. Absent: to
   * the database itself.
   */
  readerOf?(lists: readonly ListDefinition[]): Queryable;
}

/** What to ask about these lists. */
export const readerOf = (source: ListSource, ...lists: readonly ListDefinition[]): Queryable =>
  source.readerOf?.(lists) ?? source;

/** One connection inside an open transaction. */
export interface Session extends Queryable {
  /** Several statements without parameters: migrations. */
  script(text: string): Promise<void>;
}

export interface DatabaseLoad {
  /** Connections, those that have nothing to do included. */
  readonly open: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

export interface Database extends Session {
  /** How busy this process's way to the database is; absent where nobody looks. */
  load?(): DatabaseLoad;
  /** Committed when the work resolves, rolled back when it rejects. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Connections of their own, so that none of these waits for another or for the rest of the service. */
export interface Pools {
  /** Statements over whole lists, which may take long. */
  readonly searches: Database;
  /** Sign-ins, the sessions of requests, and the audit log. */
  readonly signIns: Database;
}
