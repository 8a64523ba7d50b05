/** Tickets of exports, each good once. */
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { queryRows } from '../database/query-rows.ts';

export interface ExportTicket {
  readonly ticketHash: string;
  readonly userId: number;
  readonly request: unknown;
  readonly expiresTime: number;
}

/** Those that nobody has fetched in time go at the same time. */
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
  /** Who asked for it. */
  userId: z.number(),
  request: z.unknown(),
});
export type TakenTicket = z.infer<typeof TakenTicket>;

const TakenRow = TakenTicket.extend({ expiresTime: z.number() });

/** Null when there is no such ticket, it was used, or its time is over. */
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
