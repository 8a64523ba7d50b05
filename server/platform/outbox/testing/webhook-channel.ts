/** A webhook that receives failures of sources, and such failures. */

import { newWebhookSecret } from '../../channels/channel-message.ts';
import { addChannel } from '../../channels/channel-store.ts';
import type { Database } from '../../database/database.ts';
import { addEvent } from '../../events/event-store.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

export async function addWebhook(
  database: Database,
  box: SecretBox,
  address: string,
): Promise<void> {
  const channel = {
    kind: 'webhook' as const,
    name: 'Chat',
    ownerId: null,
    shownAddress: '',
    sealedAddress: box.seal(address),
    sealedSecret: box.seal(newWebhookSecret()),
    addressHash: 'hash',
    types: ['source.failed'],
  };
  await addChannel(database, channel, 0);
}

export async function addFailure(database: Database, title: string): Promise<void> {
  await addEvent(
    database,
    { type: 'source.failed', title, path: null, subject: {}, items: [], totalCount: 0 },
    Date.now(),
  );
}
