/** Hands out what a licensed client needs to read the published tree. */
import type { TreeAccess } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import type { StoredClient } from './licensed-client-store.ts';

export interface TreeGiver {
  /** Returns null when there is no tree for the client. */
  accessFor(client: StoredClient, now: number): Promise<TreeAccess | null>;
}
