/**
 * Takes emails and deliveries to channels from the outbox. Several processes may send: taking postpones the next attempt, so that no
 * other process takes the same, and marks a channel as busy, so that at most one delivery is in flight for its address. A
 * channel whose receiver asks to wait is busy until then.
 */
import { z } from 'zod';
import { StoredChannel } from '../channels/channel-store.ts';
import type { Queryable } from '../database/database.ts';
import { queryRows } from '../database/query-rows.ts';
import { eventColumns, StoredEvent } from '../events/event-store.ts';
import { leaseEnded, takeFirst } from '../queues/leased-row-store.ts';

const TakenMail = z.object({
  id: z.number(),
  kind: z.string(),
  recipient: z.string(),
  subject: z.string(),
  body: z.string(),
  html: z.string().nullable(),
  queued_time: z.number(),
  /** Includes the current attempt. */
  attempts: z.number(),
});
export type TakenMail = z.infer<typeof TakenMail>;

const TakenDelivery = StoredEvent.extend({
  id: z.number(),
  channelId: z.number(),
  attempts: z.number(),
});
export type TakenDelivery = z.infer<typeof TakenDelivery>;

const minute = 60_000;

/** Delays between two attempts, a day in all. The attempt after the last delay is the last one. */
export const retryDelaysMs = [1, 5, 15, 60, 360, 480, 519].map((minutes) => minutes * minute);

/** The longest wait for an attempt, and the longest pause of a channel that a receiver can ask for. */
export const longestPauseMs = retryDelaysMs.reduce((sum, delay) => sum + delay, 0);

/** Something is due again after this time when its sender died. */
const leaseMs = 5 * minute;

const dueSql = `state = 'queued' and (${leaseEnded('next_time', '$1', longestPauseMs)} or attempts = 0)`;

/** Takes the email that has waited longest; null when none is due. */
export const takeMail = (database: Queryable, now: number): Promise<TakenMail | null> =>
  takeFirst(
    database,
    TakenMail,
    {
      table: 'outbox',
      due: `channel_id is null and ${dueSql}`,
      order: 'next_time, id',
      set: 'attempts = attempts + 1, next_time = $2',
      columns: 'id, kind, recipient, subject, body, html, queued_time, attempts',
    },
    [now, now + leaseMs],
  );

/** Takes the delivery that has waited longest among those of channels that are not busy; null when none is due. */
export async function takeDelivery(
  database: Queryable,
  now: number,
): Promise<TakenDelivery | null> {
  const rows = await queryRows(
    database,
    TakenDelivery,
    `with due as (
       select outbox.id, channel_id, event_id from outbox join channel on channel.id = channel_id
       where ${dueSql} and enabled and ${leaseEnded('busy_until', '$1', longestPauseMs)}
       order by next_time, outbox.id limit 1 for update of channel skip locked
     ), busy as (update channel set busy_until = $2 from due where channel.id = due.channel_id)
     update outbox set attempts = attempts + 1, next_time = $2 from due join event on event.id = due.event_id where outbox.id = due.id
     returning outbox.id, outbox.channel_id as "channelId", outbox.attempts, ${eventColumns}`,
    [now, now + leaseMs],
  );
  return rows[0] ?? null;
}

export async function noteSent(database: Queryable, id: number, now: number): Promise<void> {
  await database.query(
    `update outbox set state = 'sent', ended_time = $2, last_error = '', body = '', html = null where id = $1`,
    [id, now],
  );
}

/** @param next - Time of the next attempt; null: no further attempt. */
export async function noteFailed(
  database: Queryable,
  id: number,
  error: string,
  next: number | null,
  now: number,
): Promise<void> {
  if (next !== null)
    await database.query('update outbox set next_time = $2, last_error = $3 where id = $1', [
      id,
      next,
      error,
    ]);
  else
    await database.query(
      `update outbox set state = 'failed', ended_time = $2, last_error = $3, body = '', html = null where id = $1`,
      [id, now, error],
    );
}

const ReleasedChannel = StoredChannel.pick({
  id: true,
  name: true,
  ownerId: true,
  enabled: true,
  failingSince: true,
});
export type ReleasedChannel = z.infer<typeof ReleasedChannel>;

export interface DeliveryEnd {
  /** Empty after a success. */
  readonly problem: string;
  /** The receiver asks to send nothing until then; 0: it does not. */
  readonly pausedUntil: number;
  readonly now: number;
}

/** Ends the delivery in flight for a channel. Returns null when the channel was deleted. */
export async function releaseChannel(
  tx: Queryable,
  id: number,
  { problem, pausedUntil, now }: DeliveryEnd,
): Promise<ReleasedChannel | null> {
  const rows = await queryRows(
    tx,
    ReleasedChannel,
    `update channel set busy_until = $4, problem = case when enabled then $2 else problem end,
       failing_since = case when $2 = '' then null else coalesce(failing_since, $3::bigint) end,
       delivered_time = case when $2 = '' then $3::bigint else delivered_time end
     where id = $1 returning id, name, owner_id as "ownerId", enabled, failing_since as "failingSince"`,
    [id, problem, now, pausedUntil],
  );
  return rows[0] ?? null;
}

export async function switchOff(tx: Queryable, id: number, problem: string): Promise<void> {
  await tx.query('update channel set enabled = false, problem = $2 where id = $1', [id, problem]);
}

const EmailRow = z.object({ email: z.string() });

/** Returns the address of the owner, if still an administrator, or else of all administrators. */
export async function readOwnerAddresses(
  database: Queryable,
  ownerId: number | null,
): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    EmailRow,
    `select email from users where user_type = 'Admin' and email <> '' and (id = $1 or not exists (
       select from users as owner where owner.id = $1 and owner.user_type = 'Admin' and owner.email <> '')) order by id`,
    [ownerId],
  );
  return rows.map(({ email }) => email);
}

export async function removeOldDeliveries(database: Queryable, endedBefore: number): Promise<void> {
  await database.query('delete from outbox where ended_time < $1', [endedBefore]);
}
