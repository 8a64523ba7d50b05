/** Stores single-use tickets of exports. */
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { queryRows } from '../database/query-rows.ts';

export interface ExportTicket {
  readonly ticketHash: string;
  readonly userId: number;
  readonly request: unknown;
  readonly expiresTime: number;
}

/** Adds a ticket, and removes the expired ones. */
export async function addTicket(
  database: Queryable,
  ticket: ExportTicket,
  now: number,
): Promise<void> {
  await database.query('delete from export_ticket where expires_time <= $1', [now]);
  await database.query(
    'insert into export_ticket (ticket_hash, user_id, request, expires_time) values ($1, $2, $3::jsonb, $4)',
    [ticket.ticketHash, ticket.userId, JSON.stringify(ticket.request), ticket.expiresTime],
  );
}

export const TakenTicket = z.object({
  /** The user who created the ticket. */
  userId: z.number(),
  request: z.unknown(),
});
export type TakenTicket = z.infer<typeof TakenTicket>;

const TakenRow = TakenTicket.extend({ expiresTime: z.number() });

/** Removes a ticket and returns it; null when it does not exist, was used or has expired. */
export async function takeTicket(
  database: Queryable,
  ticketHash: string,
  now: number,
): Promise<TakenTicket | null> {
  const rows = await queryRows(
    database,
    TakenRow,
    'delete from export_ticket where ticket_hash = $1 returning user_id as "userId", request, expires_time as "expiresTime"',
    [ticketHash],
  );
  return rows[0] === undefined || rows[0].expiresTime <= now ? null : rows[0];
}
