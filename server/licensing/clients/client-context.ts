/** What the functions for licensed clients work with: the database, the time, and the key that seals activation codes. */
import type { Database } from '../../platform/database/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

export interface ClientContext {
  readonly database: Database;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export interface RegistryContext extends ClientContext {
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
}
