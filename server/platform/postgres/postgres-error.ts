/** The embedded PostgreSQL cannot be used. The message has the reason and advice for the person at the terminal. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
