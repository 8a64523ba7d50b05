/** Database access for the list of users, and for changing them and their pictures. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { User } from '@patch/contract/accounts/user-endpoints.ts';
import type { UserSort } from '@patch/contract/accounts/user-sorts.ts';
import type { UserType } from '@patch/contract/base/user-types.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { hasSecondFactorSql, toGroupsColumn } from '../accounts/user-store.ts';

/** A listed user, independent of the caller. */
export const ListedUser = User.omit({ canDelete: true });
export type ListedUser = z.infer<typeof ListedUser>;

export interface UserPage {
  readonly keyword: string;
  readonly sort: UserSort;
  readonly descending: boolean;
  readonly offset: number;
  readonly size: number;
}

const userFields = sql`id, name, email, user_type as "userType", to_json(machine_groups) as "machineGroups", timezone, last_sign_in_time as "lastSignInAt",
  created_time as "createdAt", must_change_password as "mustChangePassword", ${hasSecondFactorSql} as "twoFactor",
  (select file_name from avatar where user_id = users.id) as avatar`;

const sortColumns: Readonly<Record<UserSort, string>> = {
  name: 'name_folded',
  email: 'email_folded',
  userType: 'user_type',
  lastSignInAt: 'last_sign_in_time',
  createdAt: 'created_time',
};

/** Missing values, such as no sign-in yet, come last in both directions. */
export async function readUsersPage(
  database: Queryable,
  { keyword, sort, descending, offset, size }: UserPage,
): Promise<{ readonly rows: readonly ListedUser[]; readonly total: number }> {
  const pattern = `%${fold(keyword.trim()).replace(/[\\%_]/g, '\\$&')}%`;
  const matching = sql`from users where name_folded like ${pattern} or email_folded like ${pattern}`;
  const order = sql.raw(
    `${sortColumns[sort]} ${descending ? 'desc' : 'asc'} nulls last, name_folded`,
  );
  return {
    total: await query.requiredValue(database, z.number())`select count(*) ${matching}`,
    rows: await query.rows(database, ListedUser)`
      select ${userFields} ${matching} order by ${order} limit ${size} offset ${offset}`,
  };
}

export const readListedUser = (database: Queryable, id: number) =>
  query.row(database, ListedUser)`select ${userFields} from users where id = ${id}`;

const UserOption = z.object({
  key: z.number(),
  id: z.number(),
  name: z.string(),
  email: z.string(),
});

export const userOptions = async (database: Queryable) => [
  ...(await query.rows(database, UserOption)`
    select id as key, id, name, email from users order by name_folded`),
];

export const countAdministrators = (database: Queryable) =>
  query.requiredValue(database, z.number())`select count(*) from users where user_type = 'Admin'`;

export const readAdministratorNames = (database: Queryable) =>
  query.values(database, z.string())`
    select name from users where user_type = 'Admin' order by name_folded`;

export const makeAdministrator = (tx: Queryable, id: number) =>
  query.run(tx)`update users set user_type = 'Admin', machine_groups = null where id = ${id}`;

/** Returns which of the two a user other than `id` already has; null when both are free. */
export async function findTaken(
  tx: Queryable,
  id: number | null,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<'name' | 'email' | null> {
  const sameName = sql`name_folded = ${fold(name)}`;
  const isName = await query.value(tx, z.boolean())`
    select ${sameName} from users where (${id}::bigint is null or id <> ${id})
      and (${sameName} or (email_folded = ${fold(email)} and email_folded <> '')) order by 1 desc limit 1`;
  return isName === null ? null : isName ? 'name' : 'email';
}

export interface ChangedUser {
  readonly name: string;
  readonly email: string;
  readonly userType: UserType;
  readonly machineGroups: readonly number[] | null;
  readonly timezone: string | null;
}

export function changeUser(tx: Queryable, id: number, user: ChangedUser): Promise<number> {
  const { name, email, userType, machineGroups, timezone } = user;
  const names = { name, nameFolded: fold(name), email, emailFolded: fold(email) };
  const row = { ...names, userType, machineGroups: toGroupsColumn(machineGroups), timezone };
  return query.run(tx)`update users set ${sql.assignments(row)} where id = ${id}`;
}

/** Sets a password that the user must replace at the next sign-in. */
export const assignPassword = (tx: Queryable, id: number, passwordHash: string) =>
  query.run(
    tx,
  )`update users set password_hash = ${passwordHash}, must_change_password = true where id = ${id}`;

/** Removes the user with all their data. */
export const removeUser = (tx: Queryable, id: number) =>
  query.run(tx)`delete from users where id = ${id}`;

/** Replaces the user's picture. Returns false when the user does not exist. */
export const writeAvatar = (
  database: Queryable,
  userId: number,
  fileName: string,
  image: Uint8Array,
) => query.runOne(database)`
  insert into avatar (user_id, file_name, image) select id, ${fileName}::text, ${image}::bytea from users where id = ${userId}::bigint
  on conflict (user_id) do update set file_name = excluded.file_name, image = excluded.image`;

export const removeAvatar = (database: Queryable, userId: number) =>
  query.run(database)`delete from avatar where user_id = ${userId}`;

export const readAvatar = (database: Queryable, fileName: string) =>
  query.value(
    database,
    z.instanceof(Uint8Array),
  )`select image from avatar where file_name = ${fileName}`;

/** Returns those of the numbers that no group of machines has. */
export const findUnknownGroups = (tx: Queryable, groups: readonly number[]) =>
  query.values(tx, z.number())`
    select named.id from unnest(${arrayText(groups)}::bigint[]) as named(id)
    where not exists(select from machine_group where machine_group.id = named.id) order by named.id`;
