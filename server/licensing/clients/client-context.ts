/** Dependencies of the functions for licensed clients. */
import type { Database, ListSource } from '../../platform/database/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ClientMemory } from './client-memory.ts';
import type { PositionBuffer } from './position-buffer.ts';
import type { TreeGiver } from './tree-giver.ts';

export interface ClientContext {
  readonly database: Database;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Dependencies of the routes that licensed clients call. */
export interface ProtocolContext extends ClientContext {
  readonly lists: ListSource;
  readonly clients: ClientMemory;
  readonly positions: PositionBuffer;
  /** Null: no tree is published. */
  readonly tree: TreeGiver | null;
}

export interface RegistryContext extends ClientContext {
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
}
