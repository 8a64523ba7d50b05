/** Stores API keys by their hash. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { ApiKey } from '@patch/contract/accounts/api-key-endpoints.ts';
import type { ApiKeyScope } from '@patch/contract/base/endpoint.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { lacksSecondFactorSql, UserAndFactor, userJson } from '../accounts/user-store.ts';

export interface NewKey {
  readonly userId: number;
  readonly name: string;
  readonly keyHash: string;
  readonly prefix: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly createdTime: number;
  readonly expiresTime: number;
  /** The group whose machines report with the key. */
  readonly group?: string | undefined;
}

const selectKeys = sql`
  select api_key.id, api_key.name, prefix, scopes, owner.id as "ownerId", owner.name as "ownerName", api_key.created_time as "createdAt",
    expires_time as "expiresAt", last_used_time as "lastUsedAt",
    case when group_id is not null then json_build_object('group', machine_group.name, 'reports', report_count, 'machines',
      (select count(*) from api_key_machine where key_id = api_key.id)) end as enrolment
  from api_key join users as owner on owner.id = api_key.user_id left join machine_group on machine_group.id = group_id`;

/** A key may have scopes of another version. */
const Scopes = z.array(openWord<ApiKeyScope>());
const ApiKeyRow = ApiKey.extend({ scopes: Scopes });

/** Reads the keys of one person, or of everybody with null; newest first. */
export const readApiKeys = (database: Queryable, userId: number | null) =>
  query.rows(database, ApiKeyRow)`
    ${selectKeys} where (${userId}::bigint is null or owner.id = ${userId}) order by api_key.created_time desc, api_key.id desc`;

export const readApiKey = (database: Queryable, id: number) =>
  query.row(database, ApiKeyRow)`${selectKeys} where api_key.id = ${id}`;

/** Returns null when the person has a key of that name. @throws AppError `group_has_criteria` */
export async function addApiKey(database: Queryable, key: NewKey): Promise<number | null> {
  const { userId, name, keyHash, prefix, createdTime, expiresTime } = key;
  const names = { userId, name, nameFolded: fold(name), scopes: JSON.stringify(key.scopes) };
  const groupId = key.group === undefined ? null : await addGroup(database, key.group);
  return query.value(database, z.number())`
    insert into api_key ${sql.values({ ...names, groupId, keyHash, prefix, createdTime, expiresTime })}
    on conflict (user_id, name_folded) do nothing returning id`;
}

/**
 * Returns the id of the group, which is added when it is new.
 * @throws AppError `group_has_criteria`
 */
async function addGroup(database: Queryable, name: string): Promise<number> {
  const id = await query.value(database, z.number())`
    insert into machine_group as known ${sql.values({ name, nameFolded: fold(name) })}
    on conflict (name_folded) do update set name_folded = excluded.name_folded where known.criteria is null returning id`;
  if (id === null)
    throw new AppError(
      'group_has_criteria',
      `The machines of the group '${name}' are those that meet its criteria. Choose another name for machines that report.`,
    );
  return id;
}

export const removeApiKey = (database: Queryable, id: number) =>
  query.run(database)`delete from api_key where id = ${id}`;

/** Returns the names of the removed keys. */
export const removeUserApiKeys = (database: Queryable, userId: number) =>
  query.values(database, z.string())`delete from api_key where user_id = ${userId} returning name`;

/** Returns the number of the removed addresses. */
export const removeUserAtomFeeds = (database: Queryable, userId: number) =>
  query.run(database)`delete from atom_feed where user_id = ${userId}`;

const KeyOwnerRow = UserAndFactor.extend({
  keyId: z.number(),
  keyName: z.string(),
  scopes: Scopes,
  lastUsedTime: z.number().nullable(),
});

/** Returns the key and its current owner; null when the key does not exist or has expired. */
export const findKeyOwner = (database: Queryable, keyHash: string, now: number) =>
  query.row(database, KeyOwnerRow)`
    select ${userJson} as user, api_key.id as "keyId", api_key.name as "keyName", scopes, last_used_time as "lastUsedTime",
      ${lacksSecondFactorSql} as "lacksSecondFactor"
    from api_key join users on users.id = api_key.user_id
    where key_hash = ${keyHash} and expires_time > ${now}`;

export const noteKeyUse = (database: Queryable, id: number, now: number) =>
  query.run(database)`update api_key set last_used_time = ${now} where id = ${id}`;
