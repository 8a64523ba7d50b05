/** Stores channels, and the log of their deliveries in the outbox. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  type Channel,
  ChannelDelivery,
  channelKinds,
  shownDeliveries,
} from '@patch/contract/channel-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { IdRow, TotalRow } from '../database/plain-rows.ts';
import { queryRows } from '../database/query-rows.ts';

export const StoredChannel = z.object({
  id: z.number(),
  kind: z.enum(channelKinds),
  name: z.string(),
  ownerId: z.number().nullable(),
  shownAddress: z.string(),
  sealedAddress: z.string(),
  sealedSecret: z.string().nullable(),
  sealedFormerSecret: z.string().nullable(),
  formerUntil: z.number().nullable(),
  types: z.array(z.string()),
  enabled: z.boolean(),
  problem: z.string(),
  failingSince: z.number().nullable(),
  deliveredAt: z.number().nullable(),
});
export type StoredChannel = z.infer<typeof StoredChannel>;

const columns = `id, kind, name, owner_id as "ownerId", shown_address as "shownAddress", sealed_address as "sealedAddress",
  sealed_secret as "sealedSecret", sealed_former_secret as "sealedFormerSecret", former_until as "formerUntil", types, enabled, problem,
  failing_since as "failingSince", delivered_time as "deliveredAt"`;

export const readChannels = (database: Queryable): Promise<readonly StoredChannel[]> =>
  queryRows(database, StoredChannel, `select ${columns} from channel order by name_folded`);

export async function readChannel(database: Queryable, id: number): Promise<StoredChannel | null> {
  const text = `select ${columns} from channel where id = $1`;
  return (await queryRows(database, StoredChannel, text, [id]))[0] ?? null;
}

/** Locks the channel until the transaction ends. */
export async function lockChannel(tx: Queryable, id: number): Promise<StoredChannel | null> {
  await tx.query('select from channel where id = $1 for update', [id]);
  return readChannel(tx, id);
}

export async function countChannels(database: Queryable): Promise<number> {
  const rows = await queryRows(database, TotalRow, 'select count(*) as total from channel');
  return rows[0]?.total ?? 0;
}

export type NewStoredChannel = Pick<
  StoredChannel,
  'kind' | 'name' | 'ownerId' | 'shownAddress' | 'sealedAddress' | 'sealedSecret' | 'types'
> & { readonly addressHash: string };

/** Returns the id, or null when a channel has this name or address. */
export async function addChannel(
  tx: Queryable,
  channel: NewStoredChannel,
  now: number,
): Promise<number | null> {
  const rows = await queryRows(
    tx,
    IdRow,
    `insert into channel (kind, name, name_folded, owner_id, shown_address, sealed_address, address_hash, sealed_secret, types, created_time)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10) on conflict do nothing returning id`,
    [
      channel.kind,
      channel.name,
      fold(channel.name),
      channel.ownerId,
      channel.shownAddress,
      channel.sealedAddress,
      channel.addressHash,
      channel.sealedSecret,
      JSON.stringify(channel.types),
      now,
    ],
  );
  return rows[0]?.id ?? null;
}

/** Returns false when another channel has the name. A channel that is switched on begins without a problem. */
export async function changeChannel(
  tx: Queryable,
  { id, name, types, enabled }: Pick<StoredChannel, 'id' | 'name' | 'types' | 'enabled'>,
): Promise<boolean> {
  const { count } = await tx.query(
    `update channel set name = $2, name_folded = $3, types = $4::text::jsonb, enabled = $5,
       problem = case when $5 and not enabled then '' else problem end,
       failing_since = case when $5 and not enabled then null else failing_since end
     where id = $1 and not exists (select from channel as other where other.name_folded = $3 and other.id <> $1)`,
    [id, name, fold(name), JSON.stringify(types), enabled],
  );
  return count === 1;
}

export async function writeSecret(
  tx: Queryable,
  id: number,
  secret: { readonly sealed: string; readonly formerUntil: number },
): Promise<void> {
  await tx.query(
    'update channel set sealed_former_secret = sealed_secret, former_until = $3, sealed_secret = $2 where id = $1',
    [id, secret.sealed, secret.formerUntil],
  );
}

/** Also removes the channel from alerts. */
export async function deleteChannel(tx: Queryable, id: number): Promise<void> {
  await tx.query(
    'update view_alert set channels = array_remove(channels, $1::bigint), version = version + 1 where $1::bigint = any(channels)',
    [id],
  );
  await tx.query('delete from channel where id = $1', [id]);
}

/** Ends the waiting deliveries of a channel that is switched off. */
export async function abandonDeliveries(tx: Queryable, id: number, now: number): Promise<void> {
  await tx.query(
    `update outbox set state = 'failed', ended_time = $2, last_error = 'The channel is switched off.' where channel_id = $1 and state = 'queued'`,
    [id, now],
  );
}

/** Returns the newest deliveries of a channel. */
export const readDeliveries = (
  database: Queryable,
  channelId: number,
): Promise<readonly ChannelDelivery[]> =>
  queryRows(
    database,
    ChannelDelivery,
    `select outbox.id, 'evt_' || replace(event.key::text, '-', '') as "eventId", event.type, event.title, state, attempts,
       last_error as "lastError", queued_time as "queuedAt", ended_time as "endedAt"
     from outbox join event on event.id = outbox.event_id where outbox.channel_id = $1 order by outbox.id desc limit ${shownDeliveries}`,
    [channelId],
  );

/** Queues an ended delivery again. Returns false when the channel has no such delivery. */
export async function requeueDelivery(
  tx: Queryable,
  { channelId, delivery, now }: { channelId: number; delivery: number; now: number },
): Promise<boolean> {
  const { count } = await tx.query(
    `update outbox set state = 'queued', attempts = 0, next_time = $3, queued_time = $3, ended_time = null, last_error = ''
     where id = $2 and channel_id = $1 and state <> 'queued'`,
    [channelId, delivery, now],
  );
  return count === 1;
}

export function toChannel(stored: StoredChannel, now: number): Channel {
  const { id, kind, name, shownAddress, types, enabled, problem, failingSince, deliveredAt } =
    stored;
  const { formerUntil } = stored;
  const formerSecretUntil = formerUntil !== null && formerUntil > now ? formerUntil : null;
  return {
    id,
    kind,
    name,
    address: shownAddress,
    types,
    enabled,
    problem,
    failingSince,
    deliveredAt,
    formerSecretUntil,
  };
}
