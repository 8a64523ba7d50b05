/** Stores API keys by their hash. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { ApiKey } from '@patch/contract/api-key-endpoints.ts';
import type { ApiKeyScope } from '@patch/contract/endpoint.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow, NameRow, openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { type KeyOwner } from '../../platform/http/authenticate.ts';
import { toSignedInUser, UserRow, userColumns } from '../accounts/user-store.ts';

export interface NewKey {
  readonly userId: number;
  readonly name: string;
  readonly keyHash: string;
  readonly prefix: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly createdTime: number;
  readonly expiresTime: number;
}

const selectKeys = `api_key.id, api_key.name, prefix, scopes, owner.id as "ownerId", owner.name as "ownerName", api_key.created_time as "createdAt",
  expires_time as "expiresAt", last_used_time as "lastUsedAt"
  from api_key join users as owner on owner.id = api_key.user_id`;

/** A key may have scopes of another version. */
const Scopes = z.array(openWord<ApiKeyScope>());
const ApiKeyRow = ApiKey.extend({ scopes: Scopes });

/** Reads the keys of one person, or of everybody with null; newest first. */
export async function readApiKeys(
  database: Queryable,
  userId: number | null,
): Promise<readonly ApiKey[]> {
  const rows = await queryRows(
    database,
    ApiKeyRow,
    `select ${selectKeys} where ($1::bigint is null or owner.id = $1) order by api_key.created_time desc, api_key.id desc`,
    [userId],
  );
  return rows;
}

export async function readApiKey(database: Queryable, id: number): Promise<ApiKey | null> {
  const rows = await queryRows(database, ApiKeyRow, `select ${selectKeys} where api_key.id = $1`, [
    id,
  ]);
  return rows[0] ?? null;
}

/** Returns null when the person has a key of that name. */
export async function addApiKey(database: Queryable, key: NewKey): Promise<number | null> {
  const rows = await queryRows(
    database,
    IdRow,
    `insert into api_key (user_id, name, name_folded, key_hash, prefix, scopes, created_time, expires_time)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8) on conflict (user_id, name_folded) do nothing returning id`,
    [
      key.userId,
      key.name,
      fold(key.name),
      key.keyHash,
      key.prefix,
      JSON.stringify(key.scopes),
      key.createdTime,
      key.expiresTime,
    ],
  );
  return rows[0]?.id ?? null;
}

export async function removeApiKey(database: Queryable, id: number): Promise<void> {
  await database.query('delete from api_key where id = $1', [id]);
}

/** Returns the names of the removed keys. */
export async function removeUserApiKeys(
  database: Queryable,
  userId: number,
): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    NameRow,
    'delete from api_key where user_id = $1 returning name',
    [userId],
  );
  return rows.map(({ name }) => name);
}

/** Returns the number of the removed addresses. */
export async function removeUserAtomFeeds(database: Queryable, userId: number): Promise<number> {
  return (await database.query('delete from atom_feed where user_id = $1', [userId])).count;
}

const KeyOwnerRow = UserRow.extend({
  keyId: z.number(),
  keyName: z.string(),
  scopes: Scopes,
  lastUsedTime: z.number().nullable(),
});

/** Returns the key and its current owner; null when the key does not exist or has expired. */
export async function findKeyOwner(
  database: Queryable,
  keyHash: string,
  now: number,
): Promise<(KeyOwner & { readonly id: number; readonly lastUsedTime: number | null }) | null> {
  const rows = await queryRows(
    database,
    KeyOwnerRow,
    `select ${userColumns}, api_key.id as "keyId", api_key.name as "keyName", scopes, last_used_time as "lastUsedTime"
     from api_key join users on users.id = api_key.user_id
     where key_hash = $1 and expires_time > $2`,
    [keyHash, now],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { keyId: id, keyName, scopes, lastUsedTime } = row;
  return { id, keyName, scopes, lastUsedTime, user: toSignedInUser(row) };
}

export async function noteKeyUse(database: Queryable, id: number, now: number): Promise<void> {
  await database.query('update api_key set last_used_time = $2 where id = $1', [id, now]);
}
