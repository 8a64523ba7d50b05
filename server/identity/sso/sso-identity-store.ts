/** Who a user is to an identity provider, as the database keeps it. */
import type { Queryable } from '../../platform/database/database.ts';

interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export async function userOfIdentity(
  database: Queryable,
  { issuer, subject }: Identity,
): Promise<number | null> {
  const { rows } = await database.query<{ user_id: number }>(
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
