/** The database refused a statement. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** PostgreSQL's SQLSTATE (23505: duplicate key), or a code of this service: timeout, connection, closed. */
  readonly code: string;
  readonly constraint: string | null;

  constructor(code: string, message: string, constraint: string | null = null) {
    super(message);
    this.code = code;
    this.constraint = constraint;
  }
}

/** Converts an error of the driver; returns any other error unchanged. */
export function databaseError(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof DatabaseError) return thrown;
  const { code, constraint, detail } = thrown as Error & {
    code?: unknown;
    constraint?: unknown;
    detail?: unknown;
  };
  if (typeof code !== 'string') return thrown;
  const message =
    typeof detail === 'string' && detail !== '' ? `${thrown.message}: ${detail}` : thrown.message;
  return new DatabaseError(code, message, typeof constraint === 'string' ? constraint : null);
}
