/** Stores which user an identity of a provider belongs to. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

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
