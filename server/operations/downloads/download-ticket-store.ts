/** Stores single-use tickets of downloads. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export interface DownloadTicket {
  readonly ticketHash: string;
  readonly jobId: number;
  readonly userId: number;
  readonly expires: number;
}

/** Also deletes expired tickets. */
export async function addDownloadTicket(
  database: Queryable,
  { ticketHash, jobId, userId, expires }: DownloadTicket,
  now: number,
): Promise<void> {
  await database.query('delete from download_ticket where expires_time <= $1', [now]);
  await database.query(
    'insert into download_ticket (ticket_hash, job_id, user_id, expires_time) values ($1, $2, $3, $4)',
    [ticketHash, jobId, userId, expires],
  );
}

const TakenRow = z.object({
  jobId: z.number(),
  /** The user who created the ticket. */
  userId: z.number(),
  expires: z.number(),
});

/** Removes a ticket and returns it; null when the ticket does not exist, was used or has expired. */
export async function takeDownloadTicket(
  database: Queryable,
  ticketHash: string,
  now: number,
): Promise<z.infer<typeof TakenRow> | null> {
  const rows = await queryRows(
    database,
    TakenRow,
    'delete from download_ticket where ticket_hash = $1 returning job_id as "jobId", user_id as "userId", expires_time as expires',
    [ticketHash],
  );
  return rows[0] === undefined || rows[0].expires <= now ? null : rows[0];
}
