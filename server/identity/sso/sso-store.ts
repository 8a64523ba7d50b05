/** Stores the tickets with which a browser returns from an identity provider, and which user an identity belongs to. */
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

/** Returns the ticket's user; null when this browser has no such ticket, or it has expired. */
export async function findTicketUser(
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

/** Makes the ticket valid until `lifetimeMs` after its creation. */
export async function prolongTicket(
  database: Queryable,
  ticketHash: string,
  lifetimeMs: number,
): Promise<void> {
  await database.query(
    'update sso_ticket set expires_time = created_time + $2::bigint where ticket_hash = $1',
    [ticketHash, lifetimeMs],
  );
}

/** Returns false when it was used already. */
export async function useTicket(database: Queryable, ticketHash: string): Promise<boolean> {
  const { count } = await database.query('delete from sso_ticket where ticket_hash = $1', [
    ticketHash,
  ]);
  return count === 1;
}

/** Records that a browser returned from the attempt; returns false when one did before. */
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

interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

const UserIdRow = z.object({ user_id: z.number() });

export async function findIdentityUser(
  database: Queryable,
  { issuer, subject }: Identity,
): Promise<number | null> {
  const rows = await queryRows(
    database,
    UserIdRow,
    'select user_id from sso_identity where issuer = $1 and subject = $2',
    [issuer, subject],
  );
  return rows[0]?.user_id ?? null;
}

export async function addIdentity(
  database: Queryable,
  { issuer, subject }: Identity,
  userId: number,
  now: number,
): Promise<void> {
  await database.query(
    'insert into sso_identity (issuer, subject, user_id, created_time) values ($1, $2, $3, $4)',
    [issuer, subject, userId, now],
  );
}
