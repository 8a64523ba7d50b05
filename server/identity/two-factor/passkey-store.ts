/** Stores passkeys and the challenges that they sign. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { NameRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

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

const columns = `id, name, credential_id as "credentialId", public_key as "publicKey", relying_party as "relyingParty", counter, transports,
  created_time as "createdTime", last_used_time as "lastUsedTime"`;

export async function readUserPasskeys(
  database: Queryable,
  userId: number,
): Promise<readonly StoredPasskey[]> {
  return queryRows(
    database,
    StoredPasskey,
    `select ${columns} from passkey where user_id = $1 order by id`,
    [userId],
  );
}

/** Returns null when the credential is already stored. */
export async function insertPasskey(
  database: Queryable,
  userId: number,
  passkey: NewPasskey,
): Promise<StoredPasskey | null> {
  const rows = await queryRows(
    database,
    StoredPasskey,
    `insert into passkey (user_id, name, credential_id, public_key, relying_party, counter, transports, created_time)
     values ($1, $2, $3, $4, $5, $6, $7::text[], $8) on conflict (credential_id) do nothing returning ${columns}`,
    [
      userId,
      passkey.name,
      passkey.credentialId,
      passkey.publicKey,
      passkey.relyingParty,
      passkey.counter,
      passkey.transports,
      passkey.createdTime,
    ],
  );
  return rows[0] ?? null;
}

/** Returns false when it was used in the meantime: of two signatures with one count, one is a copy. */
export async function notePasskeyUse(
  database: Queryable,
  { id, counter }: Pick<StoredPasskey, 'id' | 'counter'>,
  newCounter: number,
  now: number,
): Promise<boolean> {
  const { count } = await database.query(
    'update passkey set counter = $3, last_used_time = $4 where id = $1 and counter = $2',
    [id, counter, newCounter, now],
  );
  return count === 1;
}

/** Returns the passkey's name; null when the person has no such passkey. */
export async function deletePasskey(
  database: Queryable,
  userId: number,
  id: number,
): Promise<string | null> {
  const rows = await queryRows(
    database,
    NameRow,
    'delete from passkey where user_id = $1 and id = $2 returning name',
    [userId, id],
  );
  return rows[0]?.name ?? null;
}

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
  { hash, userId, purpose }: Challenge,
  expiresTime: number,
): Promise<void> {
  await database.query(
    'insert into passkey_challenge (challenge_hash, user_id, purpose, expires_time) values ($1, $2, $3, $4)',
    [hash, userId, purpose, expiresTime],
  );
  await database.query(
    `delete from passkey_challenge where user_id = $1 and challenge_hash not in (
       select challenge_hash from passkey_challenge where user_id = $1 order by expires_time desc, challenge_hash limit $2)`,
    [userId, maxChallenges],
  );
}

const ExpiresTimeRow = z.object({ expires_time: z.number() });

/** Uses the challenge up. Returns false when it does not exist or has expired. */
export async function useChallenge(
  database: Queryable,
  { hash, userId, purpose }: Challenge,
  now: number,
): Promise<boolean> {
  const rows = await queryRows(
    database,
    ExpiresTimeRow,
    'delete from passkey_challenge where challenge_hash = $1 and user_id = $2 and purpose = $3 returning expires_time',
    [hash, userId, purpose],
  );
  return rows[0] !== undefined && rows[0].expires_time > now;
}

export async function deleteExpiredChallenges(database: Queryable, now: number): Promise<void> {
  await database.query('delete from passkey_challenge where expires_time <= $1', [now]);
}
