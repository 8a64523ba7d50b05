/** Queues emails in the outbox, and reads the log of emails. */
import { MailDelivery } from '@patch/contract/operations/mail-endpoints.ts';
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

/** Queues an email and returns its id. */
export async function addMail(
  database: Queryable,
  { kind, recipient, subject, body, html = null }: NewMail,
  now: number,
): Promise<number> {
  const rows = await queryRows(
    database,
    IdRow,
    `insert into outbox (kind, recipient, subject, body, html, queued_time, next_time) values ($1, $2, $3, $4, $5, $6, $6) returning id`,
    [kind, recipient, subject, body, html, now],
  );
  const [added] = rows;
  if (added === undefined) throw new Error('The database stored an email without returning its id');
  return added.id;
}

/** Returns a page of the emails, newest first. */
export async function deliveriesPage(
  database: Queryable,
  offset: number,
  size: number,
): Promise<{ readonly rows: readonly MailDelivery[]; readonly total: number }> {
  const totals = await queryRows(
    database,
    TotalRow,
    'select count(*) as total from outbox where channel_id is null',
  );
  const rows = await queryRows(
    database,
    MailDelivery,
    `select id, kind, recipient, subject, state, attempts, last_error as "lastError", queued_time as "queuedAt", ended_time as "endedAt"
     from outbox where channel_id is null order by id desc limit ${size} offset ${offset}`,
  );
  return { rows, total: totals[0]?.total ?? 0 };
}
