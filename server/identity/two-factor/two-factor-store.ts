/** Stores authenticator apps and backup codes, and reads who has a second factor. */
import { z } from 'zod';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { hasSecondFactorSql, lockUser } from '../accounts/user-store.ts';
import { backupCodeHash } from './backup-codes.ts';

export const StoredApp = z.object({
  sealedSecret: z.string(),
  /** Null until the app is enabled. */
  enabledTime: z.number().nullable(),
  lastStep: z.number(),
});
export type StoredApp = z.infer<typeof StoredApp>;

export const hasSecondFactor = async (database: Queryable, userId: number): Promise<boolean> =>
  (await query.value(database, z.boolean())`
    select ${hasSecondFactorSql} from users where id = ${userId}`) ?? false;

export const readApp = (database: Queryable, userId: number) =>
  query.row(database, StoredApp)`
    select ${sql.columns(StoredApp)} from two_factor where user_id = ${userId}`;

/** Stores a secret and replaces one that was not enabled. Returns false when an app is enabled. */
export const storeNewSecret = (database: Queryable, userId: number, sealedSecret: string) =>
  query.runOne(database)`
    insert into two_factor (user_id, sealed_secret, last_step) values (${userId}, ${sealedSecret}, -1)
    on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, last_step = -1
    where two_factor.enabled_time is null`;

/** Returns false when an app is enabled, or another secret was created meanwhile. */
export const enableApp = (
  database: Queryable,
  userId: number,
  {
    sealedSecret,
    step,
    now,
  }: { readonly sealedSecret: string; readonly step: number; readonly now: number },
) => query.runOne(database)`
  update two_factor set enabled_time = ${now}, last_step = ${step}
  where user_id = ${userId} and sealed_secret = ${sealedSecret} and enabled_time is null and last_step < ${step}`;

/** Uses up the step and all before it. Returns false when it was used up already. */
export const useStep = (database: Queryable, userId: number, sealedSecret: string, step: number) =>
  query.runOne(database)`
    update two_factor set last_step = ${step}
    where user_id = ${userId} and sealed_secret = ${sealedSecret} and last_step < ${step} and enabled_time is not null`;

export const removeApp = (database: Queryable, userId: number) =>
  query.run(database)`delete from two_factor where user_id = ${userId}`;

/** Removes app, passkeys and backup codes. Requires a transaction. Returns false when the person had no second factor. */
export async function removeSecondFactors(
  transaction: Queryable,
  userId: number,
): Promise<boolean> {
  const had = await hasSecondFactor(transaction, userId);
  await removeApp(transaction, userId);
  await query.run(transaction)`delete from passkey where user_id = ${userId}`;
  await removeBackupCodes(transaction, userId);
  return had;
}

export const countBackupCodes = (database: Queryable, userId: number) =>
  query.requiredValue(database, z.number())`
    select count(*) from two_factor_backup_code where user_id = ${userId}`;

/**
 * Returns false when the person has no such code.
 * @param code The code as typed.
 */
export const useBackupCode = (database: Queryable, userId: number, code: string) =>
  query.runOne(database)`
    delete from two_factor_backup_code where user_id = ${userId} and code_hash = ${backupCodeHash(userId, code)}`;

/** Returns false when the person has no second factor. The lock makes the last of two concurrent sets valid. */
export function renewBackupCodes(
  database: Database,
  userId: number,
  codes: readonly string[],
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    if (!(await lockUser(transaction, userId)) || !(await hasSecondFactor(transaction, userId)))
      return false;
    await replaceBackupCodes(transaction, userId, codes);
    return true;
  });
}

/** Requires a transaction that has locked the user. */
export async function replaceBackupCodes(
  transaction: Queryable,
  userId: number,
  codes: readonly string[],
): Promise<void> {
  await removeBackupCodes(transaction, userId);
  const hashes = codes.map((code) => backupCodeHash(userId, code));
  await query.run(transaction)`
    insert into two_factor_backup_code (user_id, code_hash) select ${userId}, unnest(${hashes}::text[])`;
}

export const removeBackupCodes = (database: Queryable, userId: number) =>
  query.run(database)`delete from two_factor_backup_code where user_id = ${userId}`;
