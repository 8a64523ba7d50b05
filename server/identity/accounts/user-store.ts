/** Stores the people who may sign in. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { UserType } from '@patch/contract/base/user-types.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { AppError } from '../../platform/errors/app-error.ts';

/** A SignedInUser of a row of `users`. */
export const userJson = sql.raw(
  `jsonb_build_object('id', users.id, 'name', users.name, 'email', users.email, 'userType', users.user_type, 'timezone', users.timezone,
    'machineGroups', users.machine_groups,
    'mustChangePassword', users.must_change_password, 'avatar', (select file_name from avatar where avatar.user_id = users.id))`,
);

/** Whether the person of a row of `users` has a second factor. */
export const hasSecondFactorSql = sql.raw(
  `(exists (select from two_factor where two_factor.user_id = users.id and enabled_time is not null)
    or exists (select from passkey where passkey.user_id = users.id))`,
);

/** Whether the person of a row of `users` has neither a second factor nor an identity provider, which uses its own. */
export const lacksSecondFactorSql = sql`(not ${hasSecondFactorSql}
  and not exists (select from sso_identity where sso_identity.user_id = users.id))`;

export interface NewUser {
  /** Unique, without an @. */
  readonly name: string;
  /** Unique; empty when unknown. */
  readonly email: string;
  readonly userType: UserType;
  /** Numbers of groups; null or absent: all machines. */
  readonly machineGroups?: readonly number[] | null;
  readonly timezone?: string | null;
  readonly passwordHash: string;
  readonly mustChangePassword: boolean;
  readonly createdTime: number;
}

/** Returns the value of the column `machine_groups`. */
export const toGroupsColumn = (groups: readonly number[] | null): string | null =>
  groups === null ? null : arrayText(groups);

export function createUser(tx: Queryable, user: NewUser): Promise<number> {
  const { name, email, userType, machineGroups = null, timezone = null } = user;
  const { passwordHash, mustChangePassword, createdTime } = user;
  const names = { name, nameFolded: fold(name), email, emailFolded: fold(email) };
  const row = {
    ...names,
    userType,
    machineGroups: toGroupsColumn(machineGroups),
    timezone,
    passwordHash,
    mustChangePassword,
    createdTime,
  };
  return query.requiredValue(tx, z.number())`insert into users ${sql.values(row)} returning id`;
}

const KnownUser = z.object({ user: SignedInUser, passwordHash: z.string() });

const selectUser = sql`select ${userJson} as user, password_hash as "passwordHash" from users`;

/** Returns the user and the password's hash; null when nobody has that name or email address. */
export function findUserByLogin(tx: Queryable, login: string) {
  const folded = fold(login.trim());
  return query.row(tx, KnownUser)`
    ${selectUser} where name_folded = ${folded} or (email_folded = ${folded} and email_folded <> '')`;
}

export const findUserById = (tx: Queryable, id: number) =>
  query.row(tx, KnownUser)`${selectUser} where id = ${id}`;

/** Without a session, which may be of an identity provider. */
export const UserAndFactor = z.object({ user: SignedInUser, lacksSecondFactor: z.boolean() });

export const findUserAndFactor = (database: Queryable, id: number) =>
  query.row(database, UserAndFactor)`
    select ${userJson} as user, ${lacksSecondFactorSql} as "lacksSecondFactor" from users where id = ${id}`;

/** @throws AppError `no_such_user` */
export async function getExistingUser(tx: Queryable, id: number): Promise<SignedInUser> {
  const known = await findUserById(tx, id);
  if (known === null) throw noSuchUser();
  return known.user;
}

export const noSuchUser = () => new AppError('no_such_user', 'This user no longer exists.');

/** Returns the caller and their password's hash. @throws AppError `session_ended` */
export async function getCaller(tx: Queryable, id: number) {
  const known = await findUserById(tx, id);
  if (known === null) throw sessionEnded();
  return known;
}

export const sessionEnded = () =>
  new AppError('session_ended', 'The session has ended. Sign in again.');

/** Returns false when the password was changed meanwhile. `currentHash` is the hash that the old password was checked against. */
export const setPassword = (
  tx: Queryable,
  id: number,
  currentHash: string,
  passwordHash: string,
) => query.runOne(tx)`
  update users set password_hash = ${passwordHash}, must_change_password = false where id = ${id} and password_hash = ${currentHash}`;

/** Requires a transaction: nobody else adds a user until it ends. */
export const lockUsers = (tx: Queryable) =>
  query.run(tx)`lock table users in share row exclusive mode`;

/** Requires a transaction: other transactions that lock the user wait. Returns false when the user does not exist. */
export const lockUser = (tx: Queryable, id: number) =>
  query.runOne(tx)`select 1 from users where id = ${id} for update`;

export const hasUsers = (tx: Queryable) => query.runOne(tx)`select 1 from users limit 1`;
