/** The database refused a statement. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** PostgreSQL's SQLSTATE (23505: duplicate key), or a code of this service: timeout, connection, commit_unknown, pool_full, closed. */
  readonly code: string;
  readonly constraint: string | null;

  constructor(code: string, message: string, constraint: string | null = null) {
    super(message);
    this.code = code;
    this.constraint = constraint;
  }
}
