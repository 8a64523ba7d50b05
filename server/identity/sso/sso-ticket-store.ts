/** Tickets with which a browser comes back from an identity provider, as the database keeps them. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export interface TicketHolder {
  readonly ticketHash: string;
  readonly browserHash: string;
}

const TicketOwner = z.object({
  userId: z.number(),
  provenTime: z.number().nullable(),
});
type TicketOwner = z.infer<typeof TicketOwner>;

export async function addTicket(
  database: Queryable,
  ticket: TicketHolder & {
    readonly userId: number;
    readonly provenTime: number | null;
    readonly createdTime: number;
    readonly expiresTime: number;
  },
): Promise<void> {
  await database.query(
    'insert into sso_ticket (ticket_hash, browser_hash, user_id, proven_time, created_time, expires_time) values ($1, $2, $3, $4, $5, $6)',
    [
      ticket.ticketHash,
      ticket.browserHash,
      ticket.userId,
      ticket.provenTime,
      ticket.createdTime,
      ticket.expiresTime,
    ],
  );
}

/** Whose it is; null when there is no such ticket for this browser, or it is over. */
export async function userOfTicket(
  database: Queryable,
  { ticketHash, browserHash }: TicketHolder,
  now: number,
): Promise<TicketOwner | null> {
  const rows = await queryRows(
    database,
    TicketOwner,
    'select user_id as "userId", proven_time as "provenTime" from sso_ticket where ticket_hash = $1 and browser_hash = $2 and expires_time > $3',
    [ticketHash, browserHash, now],
  );
  return rows[0] ?? null;
}

/** Good until `life` after it was made. */
export async function prolongTicket(
  database: Queryable,
  ticketHash: string,
  life: number,
): Promise<void> {
  await database.query(
    'update sso_ticket set expires_time = created_time + $2::bigint where ticket_hash = $1',
    [ticketHash, life],
  );
}

/** False when it was used already. */
export async function useTicket(database: Queryable, ticketHash: string): Promise<boolean> {
  const { count } = await database.query('delete from sso_ticket where ticket_hash = $1', [
    ticketHash,
  ]);
  return count === 1;
}

/** Notes that a browser came back from the attempt; false when one did before. */
export async function useAttempt(
  database: Queryable,
  { stateHash, endsTime }: { stateHash: string; endsTime: number },
): Promise<boolean> {
  const { count } = await database.query(
    'insert into sso_returned_attempt (state_hash, expires_time) values ($1, $2) on conflict (state_hash) do nothing',
    [stateHash, endsTime],
  );
  return count === 1;
}

export async function deleteExpiredTickets(database: Queryable, now: number): Promise<void> {
  await database.query('delete from sso_ticket where expires_time <= $1', [now]);
  await database.query('delete from sso_returned_attempt where expires_time <= $1', [now]);
}
