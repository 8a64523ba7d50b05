/** Stores the people who may sign in. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { type SignedInUser, type UserType, userTypes } from '@patch/contract/sign-in-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export const UserRow = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  user_type: z.enum(userTypes),
  timezone: z.string().nullable(),
  must_change_password: z.boolean(),
  avatar: z.string().nullable(),
});
export type UserRow = z.infer<typeof UserRow>;

/** The columns of a UserRow, from a table named `users`. */
export const userColumns = `users.id, users.name, users.email, users.user_type, users.timezone, users.must_change_password,
  (select file_name from avatar where avatar.user_id = users.id) as avatar`;

export function toSignedInUser(row: UserRow): SignedInUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    userType: row.user_type,
    timezone: row.timezone,
    mustChangePassword: row.must_change_password,
    avatar: row.avatar,
  };
}

export interface NewUser {
  /** Unique, without an @. */
  readonly name: string;
  /** Unique; empty when unknown. */
  readonly email: string;
  readonly userType: UserType;
  readonly timezone?: string | null;
  readonly passwordHash: string;
  readonly mustChangePassword: boolean;
  readonly createdTime: number;
}

export async function createUser(tx: Queryable, user: NewUser): Promise<number> {
  const rows = await queryRows(
    tx,
    IdRow,
    `insert into users (name, name_folded, email, email_folded, user_type, timezone, password_hash, must_change_password, created_time)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      user.name,
      fold(user.name),
      user.email,
      fold(user.email),
      user.userType,
      user.timezone ?? null,
      user.passwordHash,
      user.mustChangePassword,
      user.createdTime,
    ],
  );
  const [created] = rows;
  if (created === undefined)
    throw new Error('The database created a user without returning its id');
  return created.id;
}

/** Returns the user and the password's hash; null when nobody has that name or email address. */
export async function findUserByLogin(
  tx: Queryable,
  login: string,
): Promise<{ user: SignedInUser; passwordHash: string } | null> {
  return findUser(
    tx,
    `name_folded = $1 or (email_folded = $1 and email_folded <> '')`,
    fold(login.trim()),
  );
}

export async function findUserById(
  tx: Queryable,
  id: number,
): Promise<{ user: SignedInUser; passwordHash: string } | null> {
  return findUser(tx, 'id = $1', id);
}

const UserWithPasswordRow = UserRow.extend({ password_hash: z.string() });

async function findUser(tx: Queryable, condition: string, value: string | number) {
  const rows = await queryRows(
    tx,
    UserWithPasswordRow,
    `select ${userColumns}, password_hash from users where ${condition}`,
    [value],
  );
  const [row] = rows;
  return row === undefined ? null : { user: toSignedInUser(row), passwordHash: row.password_hash };
}

/** Returns false when the password was changed meanwhile. `currentHash` is the hash that the old password was checked against. */
export async function setPassword(
  tx: Queryable,
  id: number,
  currentHash: string,
  passwordHash: string,
): Promise<boolean> {
  const { count } = await tx.query(
    'update users set password_hash = $3, must_change_password = false where id = $1 and password_hash = $2',
    [id, currentHash, passwordHash],
  );
  return count === 1;
}

/** Requires a transaction: nobody else adds a user until it ends. */
export async function lockUsers(tx: Queryable): Promise<void> {
  await tx.query('lock table users in share row exclusive mode');
}

/** Requires a transaction: other transactions that lock the user wait. Returns false when the user does not exist. */
export async function lockUser(tx: Queryable, id: number): Promise<boolean> {
  const { rows } = await tx.query('select 1 from users where id = $1 for update', [id]);
  return rows.length > 0;
}

export async function hasUsers(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query('select 1 from users limit 1');
  return rows.length > 0;
}
