/** Stores the outbox. Several processes may send: taking an email postpones its next attempt, so that no other process takes it. */
import { MailDelivery } from '@patch/contract/mail-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { IdRow, TotalRow } from '../database/plain-rows.ts';
import { queryRows } from '../database/query-rows.ts';

export interface NewMail {
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
  /** The body as HTML. Absent or null: the email is plain text only. */
  readonly html?: string | null;
}

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

/** Queues an email and returns its id. */
export async function addMail(
  database: Queryable,
  { kind, recipient, subject, body, html = null }: NewMail,
  now: number,
): Promise<number> {
  const rows = await queryRows(
    database,
    IdRow,
    `insert into mail_outbox (kind, recipient, subject, body, html, queued_time, next_time) values ($1, $2, $3, $4, $5, $6, $6) returning id`,
    [kind, recipient, subject, body, html, now],
  );
  const [added] = rows;
  if (added === undefined) throw new Error('The database stored an email without returning its id');
  return added.id;
}

/**
 * Takes the email that has waited longest; null when none is due. If its sender dies, it is due again after `lease`.
 * @param lease - Milliseconds.
 * @param longestWait - Milliseconds between two attempts. An email that would wait longer is due: the clock was set back.
 */
export async function takeMail(
  database: Queryable,
  now: number,
  lease: number,
  longestWait: number,
): Promise<TakenMail | null> {
  const rows = await queryRows(
    database,
    TakenMail,
    `update mail_outbox set attempts = attempts + 1, next_time = $2
     where id = (select id from mail_outbox where state = 'queued' and (next_time <= $1 or next_time > $1 + $3::bigint or attempts = 0) order by next_time, id limit 1 for update skip locked)
     returning id, kind, recipient, subject, body, html, queued_time, attempts`,
    [now, now + lease, longestWait],
  );
  return rows[0] ?? null;
}

export async function noteSent(database: Queryable, id: number, now: number): Promise<void> {
  await database.query(
    `update mail_outbox set state = 'sent', ended_time = $2, last_error = '', body = '', html = null where id = $1`,
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
    await database.query('update mail_outbox set next_time = $2, last_error = $3 where id = $1', [
      id,
      next,
      error,
    ]);
  else
    await database.query(
      `update mail_outbox set state = 'failed', ended_time = $2, last_error = $3, body = '', html = null where id = $1`,
      [id, now, error],
    );
}

/** Returns a page of the outbox, newest first. */
export async function deliveriesPage(
  database: Queryable,
  offset: number,
  size: number,
): Promise<{ readonly rows: readonly MailDelivery[]; readonly total: number }> {
  const totals = await queryRows(database, TotalRow, 'select count(*) as total from mail_outbox');
  const rows = await queryRows(
    database,
    MailDelivery,
    `select id, kind, recipient, subject, state, attempts, last_error as "lastError", queued_time as "queuedAt", ended_time as "endedAt"
     from mail_outbox order by id desc limit ${size} offset ${offset}`,
  );
  return { rows, total: totals[0]?.total ?? 0 };
}

export async function removeOldMails(database: Queryable, endedBefore: number): Promise<void> {
  await database.query('delete from mail_outbox where ended_time < $1', [endedBefore]);
}
