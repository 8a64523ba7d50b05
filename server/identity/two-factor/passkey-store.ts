/** Stores passkeys and the challenges that they sign. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

export const StoredPasskey = z.object({
  id: z.number(),
  name: z.string(),
  /** base64url */
  credentialId: z.string(),
  /** COSE key, base64url */
  publicKey: z.string(),
  /** The host that the passkey is bound to. */
  relyingParty: z.string(),
  /** The authenticator's number of signatures; 0 when it does not count. */
  counter: z.number(),
  transports: z.array(z.string()),
  createdTime: z.number(),
  lastUsedTime: z.number().nullable(),
});
export type StoredPasskey = z.infer<typeof StoredPasskey>;

export type NewPasskey = Omit<StoredPasskey, 'id' | 'lastUsedTime'>;

const columns = sql.columns(StoredPasskey);

export const readUserPasskeys = (database: Queryable, userId: number) =>
  query.rows(database, StoredPasskey)`
    select ${columns} from passkey where user_id = ${userId} order by id`;

/** Returns null when the credential is already stored. */
export const insertPasskey = (database: Queryable, userId: number, passkey: NewPasskey) =>
  query.row(database, StoredPasskey)`
    insert into passkey ${sql.values({ userId, ...passkey })} on conflict (credential_id) do nothing returning ${columns}`;

/** Returns false when it was used in the meantime: of two signatures with one count, one is a copy. */
export const notePasskeyUse = (
  database: Queryable,
  { id, counter }: Pick<StoredPasskey, 'id' | 'counter'>,
  newCounter: number,
  now: number,
) => query.runOne(database)`
  update passkey set counter = ${newCounter}, last_used_time = ${now} where id = ${id} and counter = ${counter}`;

/** Returns the passkey's name; null when the person has no such passkey. */
export const deletePasskey = (database: Queryable, userId: number, id: number) =>
  query.value(database, z.string())`
    delete from passkey where user_id = ${userId} and id = ${id} returning name`;

export interface Challenge {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly userId: number;
  readonly purpose: 'add' | 'use';
}

/** Maximum number of open challenges per person. The oldest is deleted. */
const maxChallenges = 10;

export async function addChallenge(
  database: Queryable,
  { hash: challengeHash, userId, purpose }: Challenge,
  expiresTime: number,
): Promise<void> {
  await query.run(database)`
    insert into passkey_challenge ${sql.values({ challengeHash, userId, purpose, expiresTime })}`;
  await query.run(database)`
    delete from passkey_challenge where user_id = ${userId} and challenge_hash not in (
      select challenge_hash from passkey_challenge where user_id = ${userId}
      order by expires_time desc, challenge_hash limit ${maxChallenges})`;
}

/** Uses the challenge up. Returns false when it does not exist or has expired. */
export async function useChallenge(
  database: Queryable,
  { hash, userId, purpose }: Challenge,
  now: number,
): Promise<boolean> {
  const expiresTime = await query.value(database, z.number())`
    delete from passkey_challenge where challenge_hash = ${hash} and user_id = ${userId} and purpose = ${purpose}
    returning expires_time`;
  return expiresTime !== null && expiresTime > now;
}

export const deleteExpiredChallenges = (database: Queryable, now: number) =>
  query.run(database)`delete from passkey_challenge where expires_time <= ${now}`;
