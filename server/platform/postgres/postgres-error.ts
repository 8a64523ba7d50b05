import { StartupError } from '../errors/startup-error.ts';

/** The embedded PostgreSQL cannot be used. The message has the reason and advice for the person at the terminal. */
export class EmbeddedPostgresError extends StartupError {
  override readonly name = 'EmbeddedPostgresError';
}
