/** The embedded PostgreSQL cannot be used; the message says why and what to do, for the person at the terminal. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
