/** Answers the heartbeat of a licensed client: its licence, and what it needs to read the published tree. */
import type {
  ClientLicence,
  TreeAccess,
} from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { isIndexed } from '../../platform/database/records/record-index-row.ts';
import { type Heartbeat, recordHeartbeat } from './client-contact.ts';
import type { ProtocolContext } from './client-context.ts';
import { fetchableLists, toLicence } from './client-state.ts';
import type { StoredClient } from './licensed-client-store.ts';

export interface HeartbeatWithPositions extends Heartbeat {
  /** The revision of each list that the client fetched from the tree. */
  readonly positions?: Readonly<Record<string, number>> | undefined;
}

/** @throws AppError `unknown_client` when the client was removed. */
export async function answerHeartbeat(
  context: ProtocolContext,
  id: number,
  { positions = {}, ...heartbeat }: HeartbeatWithPositions,
): Promise<ClientLicence & { readonly tree: TreeAccess | null }> {
  const { tree, clock } = context;
  const client = await recordHeartbeat(context, id, heartbeat);
  const now = clock();
  await notePositions(context, client, positions, now);
  return { ...toLicence(client), tree: (await tree?.accessFor(client, now)) ?? null };
}

/** Notes how far the client is, as a request for changes does. */
async function notePositions(
  { clients, positions: buffer }: ProtocolContext,
  client: StoredClient,
  positions: Readonly<Record<string, number>>,
  now: number,
): Promise<void> {
  for (const fetchable of fetchableLists(client)) {
    const { key: list } = fetchable;
    const reached = positions[list];
    // A client in a ring fetched from the tree before it joined the ring.
    if (reached === undefined || (client.ring !== null && isIndexed(fetchable))) continue;
    const { revision } = await clients.listState(list);
    buffer.noteNothingNew({ id: client.id, list, revision: Math.min(reached, revision), now });
  }
}
