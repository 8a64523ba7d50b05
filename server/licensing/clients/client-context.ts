/** What the functions for licensed clients work with: the database, the time, and the key that seals activation codes. */
import type { Database, ListSource } from '../../platform/database/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ClientMemory } from './client-memory.ts';
import type { PositionBuffer } from './position-buffer.ts';

export interface ClientContext {
  readonly database: Database;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** What calls of licensed clients are answered with. */
export interface ProtocolContext extends ClientContext {
  /** What lists are read from. */
  readonly lists: ListSource;
  readonly clients: ClientMemory;
  readonly positions: PositionBuffer;
}

export interface RegistryContext extends ClientContext {
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
}
