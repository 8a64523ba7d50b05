/** Database access for the list of users, and for changing them. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { UserType } from '@patch/contract/sign-in-endpoints.ts';
import { User } from '@patch/contract/user-endpoints.ts';
import type { UserSort } from '@patch/contract/user-sorts.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { TotalRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { hasSecondFactorSql } from '../accounts/second-factor-sql.ts';

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

const userFields = `id, name, email, user_type as "userType", timezone, last_sign_in_time as "lastSignInAt", created_time as "createdAt",
  must_change_password as "mustChangePassword", 
  ${hasSecondFactorSql} as "twoFactor", (select file_name from avatar where user_id = users.id) as avatar`;

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
  const matching = 'from users where name_folded like $1 or email_folded like $1';
  const totals = await queryRows(database, TotalRow, `select count(*) as total ${matching}`, [
    pattern,
  ]);
  const rows = await queryRows(
    database,
    ListedUser,
    `select ${userFields} ${matching} order by ${sortColumns[sort]} ${descending ? 'desc' : 'asc'} nulls last, name_folded limit $2 offset $3`,
    [pattern, size, offset],
  );
  return { rows, total: totals[0]?.total ?? 0 };
}

export async function readListedUser(database: Queryable, id: number): Promise<ListedUser | null> {
  const rows = await queryRows(
    database,
    ListedUser,
    `select ${userFields} from users where id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

const UserOptionRow = z.object({
  key: z.number(),
  id: z.number(),
  name: z.string(),
  email: z.string(),
});

export async function userOptions(
  database: Queryable,
): Promise<{ key: number; id: number; name: string; email: string }[]> {
  const rows = await queryRows(
    database,
    UserOptionRow,
    'select id as key, id, name, email from users order by name_folded',
  );
  return [...rows];
}

export async function countAdministrators(database: Queryable): Promise<number> {
  const rows = await queryRows(
    database,
    TotalRow,
    `select count(*) as total from users where user_type = 'Admin'`,
  );
  return rows[0]?.total ?? 0;
}

const SameNameRow = z.object({ sameName: z.boolean() });

/** Returns which of the two a user other than `id` already has; null when both are free. */
export async function findTaken(
  tx: Queryable,
  id: number | null,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<'name' | 'email' | null> {
  const rows = await queryRows(
    tx,
    SameNameRow,
    `select name_folded = $2 as "sameName" from users
     where ($1::bigint is null or id <> $1) and (name_folded = $2 or (email_folded = $3 and email_folded <> '')) order by 1 desc limit 1`,
    [id, fold(name), fold(email)],
  );
  return rows[0] === undefined ? null : rows[0].sameName ? 'name' : 'email';
}

export interface ChangedUser {
  readonly name: string;
  readonly email: string;
  readonly userType: UserType;
  readonly timezone: string | null;
}

export async function changeUser(
  tx: Queryable,
  id: number,
  { name, email, userType, timezone }: ChangedUser,
): Promise<void> {
  await tx.query(
    'update users set name = $2, name_folded = $3, email = $4, email_folded = $5, user_type = $6, timezone = $7 where id = $1',
    [id, name, fold(name), email, fold(email), userType, timezone],
  );
}

/** Sets a password that the user must replace at the next sign-in. */
export async function assignPassword(
  tx: Queryable,
  id: number,
  passwordHash: string,
): Promise<void> {
  await tx.query('update users set password_hash = $2, must_change_password = true where id = $1', [
    id,
    passwordHash,
  ]);
}

/** Removes the user with all their data. */
export async function removeUser(tx: Queryable, id: number): Promise<void> {
  await tx.query('delete from users where id = $1', [id]);
}
