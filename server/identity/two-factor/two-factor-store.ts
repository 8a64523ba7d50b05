/** Stores authenticator apps and backup codes, and reads who has a second factor. */
import { z } from 'zod';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { hasSecondFactorSql } from '../accounts/second-factor-sql.ts';
import { lockUser } from '../accounts/user-store.ts';
import { backupCodeHash } from './backup-codes.ts';

export const StoredApp = z.object({
  sealedSecret: z.string(),
  /** Null until the app is enabled. */
  enabledTime: z.number().nullable(),
  lastStep: z.number(),
});
export type StoredApp = z.infer<typeof StoredApp>;

const HasRow = z.object({ has: z.boolean() });

export async function hasSecondFactor(database: Queryable, userId: number): Promise<boolean> {
  const rows = await queryRows(
    database,
    HasRow,
    `select ${hasSecondFactorSql} as has from users where id = $1`,
    [userId],
  );
  return rows[0]?.has ?? false;
}

export async function readApp(database: Queryable, userId: number): Promise<StoredApp | null> {
  const rows = await queryRows(
    database,
    StoredApp,
    'select sealed_secret as "sealedSecret", enabled_time as "enabledTime", last_step as "lastStep" from two_factor where user_id = $1',
    [userId],
  );
  return rows[0] ?? null;
}

/** Stores a secret and replaces one that was not enabled. Returns false when an app is enabled. */
export async function storeNewSecret(
  database: Queryable,
  userId: number,
  sealedSecret: string,
): Promise<boolean> {
  const { count } = await database.query(
    `insert into two_factor (user_id, sealed_secret, last_step) values ($1, $2, -1)
     on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, last_step = -1
     where two_factor.enabled_time is null`,
    [userId, sealedSecret],
  );
  return count === 1;
}

/** Returns false when an app is enabled, or another secret was created meanwhile. */
export async function enableApp(
  database: Queryable,
  userId: number,
  {
    sealedSecret,
    step,
    now,
  }: { readonly sealedSecret: string; readonly step: number; readonly now: number },
): Promise<boolean> {
  const { count } = await database.query(
    `update two_factor set enabled_time = $4, last_step = $3
     where user_id = $1 and sealed_secret = $2 and enabled_time is null and last_step < $3`,
    [userId, sealedSecret, step, now],
  );
  return count === 1;
}

/** Uses up the step and all before it. Returns false when it was used up already. */
export async function useStep(
  database: Queryable,
  userId: number,
  sealedSecret: string,
  step: number,
): Promise<boolean> {
  const { count } = await database.query(
    'update two_factor set last_step = $3 where user_id = $1 and sealed_secret = $2 and last_step < $3 and enabled_time is not null',
    [userId, sealedSecret, step],
  );
  return count === 1;
}

const WasOnRow = z.object({ was_on: z.boolean() });

/** Returns false when the app was not enabled. */
export async function removeApp(database: Queryable, userId: number): Promise<boolean> {
  const rows = await queryRows(
    database,
    WasOnRow,
    'delete from two_factor where user_id = $1 returning enabled_time is not null as was_on',
    [userId],
  );
  return rows[0]?.was_on ?? false;
}

/** Removes app, passkeys and backup codes. Requires a transaction. Returns false when the person had no second factor. */
export async function removeSecondFactors(
  transaction: Queryable,
  userId: number,
): Promise<boolean> {
  const had = await hasSecondFactor(transaction, userId);
  await removeApp(transaction, userId);
  await transaction.query('delete from passkey where user_id = $1', [userId]);
  await removeBackupCodes(transaction, userId);
  return had;
}

const LeftRow = z.object({ left: z.number() });

export async function countBackupCodes(database: Queryable, userId: number): Promise<number> {
  const rows = await queryRows(
    database,
    LeftRow,
    'select count(*) as "left" from two_factor_backup_code where user_id = $1',
    [userId],
  );
  return rows[0]?.left ?? 0;
}

/**
 * Returns false when the person has no such code.
 * @param code The code as typed.
 */
export async function useBackupCode(
  database: Queryable,
  userId: number,
  code: string,
): Promise<boolean> {
  const { count } = await database.query(
    'delete from two_factor_backup_code where user_id = $1 and code_hash = $2',
    [userId, backupCodeHash(userId, code)],
  );
  return count === 1;
}

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
  await transaction.query(
    'insert into two_factor_backup_code (user_id, code_hash) select $1, unnest($2::text[])',
    [userId, codes.map((code) => backupCodeHash(userId, code))],
  );
}

export async function removeBackupCodes(database: Queryable, userId: number): Promise<void> {
  await database.query('delete from two_factor_backup_code where user_id = $1', [userId]);
}
