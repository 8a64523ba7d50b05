/** Stores channels, and the log of their deliveries in the outbox. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  type Channel,
  ChannelDelivery,
  channelKinds,
  shownDeliveries,
} from '@patch/contract/operations/channel-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { query, sql } from '../database/sql-statement.ts';

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

const columns = sql.columns(StoredChannel, { deliveredAt: 'delivered_time' });
const selectChannels = sql`select ${columns} from channel`;

export const readChannels = (database: Queryable) =>
  query.rows(database, StoredChannel)`${selectChannels} order by name_folded`;

export const readChannel = (database: Queryable, id: number) =>
  query.row(database, StoredChannel)`${selectChannels} where id = ${id}`;

/** Locks the channel until the transaction ends. */
export async function lockChannel(tx: Queryable, id: number): Promise<StoredChannel | null> {
  await query.run(tx)`select from channel where id = ${id} for update`;
  return readChannel(tx, id);
}

export const countChannels = (database: Queryable) =>
  query.requiredValue(database, z.number())`select count(*) from channel`;

export type NewStoredChannel = Pick<
  StoredChannel,
  'kind' | 'name' | 'ownerId' | 'shownAddress' | 'sealedAddress' | 'sealedSecret' | 'types'
> & { readonly addressHash: string };

/** Returns the id, or null when a channel has this name or address. */
export function addChannel(
  tx: Queryable,
  { types, ...channel }: NewStoredChannel,
  createdTime: number,
): Promise<number | null> {
  const row = { ...channel, nameFolded: fold(channel.name), types: JSON.stringify(types) };
  return query.value(tx, z.number())`
    insert into channel ${sql.values({ ...row, createdTime })} on conflict do nothing returning id`;
}

/**
 * Returns false when another channel has the name. A channel that is switched on begins without a problem, unless its receiver asked to
 * wait until later.
 */
export const changeChannel = (
  tx: Queryable,
  { id, name, types, enabled }: Pick<StoredChannel, 'id' | 'name' | 'types' | 'enabled'>,
  now: number,
) => query.runOne(tx)`
  update channel set name = ${name}, name_folded = ${fold(name)}, types = ${JSON.stringify(types)}, enabled = ${enabled},
    problem = case when ${enabled} and not enabled and busy_until <= ${now} then '' else problem end,
    failing_since = case when ${enabled} and not enabled then null else failing_since end
  where id = ${id} and not exists (select from channel as other where other.name_folded = ${fold(name)} and other.id <> ${id})`;

export const writeSecret = (
  tx: Queryable,
  id: number,
  secret: { readonly sealed: string; readonly formerUntil: number },
) => query.run(tx)`
  update channel set sealed_former_secret = sealed_secret, former_until = ${secret.formerUntil}, sealed_secret = ${secret.sealed}
  where id = ${id}`;

/** Also removes the channel from alerts. */
export async function deleteChannel(tx: Queryable, id: number): Promise<void> {
  await query.run(tx)`
    update view_alert set channels = array_remove(channels, ${id}::bigint), version = version + 1
    where ${id}::bigint = any(channels)`;
  await query.run(tx)`delete from channel where id = ${id}`;
}

/** Ends the waiting deliveries of a channel that is switched off. */
export const abandonDeliveries = (tx: Queryable, id: number, now: number) =>
  query.run(tx)`
    update outbox set state = 'failed', ended_time = ${now}, last_error = 'The channel is switched off.'
    where channel_id = ${id} and state = 'queued'`;

/** Returns the newest deliveries of a channel. */
export const readDeliveries = (database: Queryable, channelId: number) =>
  query.rows(database, ChannelDelivery)`
    select outbox.id, 'evt_' || replace(event.key::text, '-', '') as "eventId", event.type, event.title, state, attempts,
      last_error as "lastError", queued_time as "queuedAt", ended_time as "endedAt"
    from outbox join event on event.id = outbox.event_id where outbox.channel_id = ${channelId} order by outbox.id desc limit ${shownDeliveries}`;

/** Queues an ended delivery again. Returns false when the channel has no such delivery. */
export const requeueDelivery = (
  tx: Queryable,
  { channelId, delivery, now }: { channelId: number; delivery: number; now: number },
) => query.runOne(tx)`
  update outbox set state = 'queued', attempts = 0, next_time = ${now}, queued_time = ${now}, ended_time = null, last_error = ''
  where id = ${delivery} and channel_id = ${channelId} and state <> 'queued'`;

export function toChannel(stored: StoredChannel, now: number): Channel {
  const { id, kind, name, shownAddress: address, types, enabled, problem } = stored;
  const { failingSince, deliveredAt, formerUntil } = stored;
  const formerSecretUntil = formerUntil !== null && formerUntil > now ? formerUntil : null;
  const shown = { id, kind, name, address, types, enabled, problem };
  return { ...shown, failingSince, deliveredAt, formerSecretUntil };
}
