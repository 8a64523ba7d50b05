/** Second factors as the database keeps them. */
import type { Queryable } from '../database/database.ts';

export interface StoredTwoFactor {
  readonly sealedSecret: string;
  /** Null while it is being set up. */
  readonly enabledTime: number | null;
  readonly lastStep: number;
  readonly backupCodesLeft: number;
}

export async function readTwoFactor(database: Queryable, userId: number): Promise<StoredTwoFactor | null> {
  const { rows } = await database.query<StoredTwoFactor>(
    `select sealed_secret as "sealedSecret", enabled_time as "enabledTime", last_step as "lastStep",
       (select count(*) from two_factor_backup_code as code where code.user_id = two_factor.user_id) as "backupCodesLeft"
     from two_factor where user_id = $1`,
    [userId],
  );
  return rows[0] ?? null;
}

/** In place of one that was not switched on. False when one is on. */
export async function keepNewSecret(database: Queryable, userId: number, sealedSecret: string): Promise<boolean> {
  const { count } = await database.query(
    `insert into two_factor (user_id, sealed_secret, last_step) values ($1, $2, -1)
     on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, last_step = -1
     where two_factor.enabled_time is null`,
    [userId, sealedSecret],
  );
  return count === 1;
}

/** False when it is on, or another secret was made meanwhile. */
export async function enableTwoFactor(
  database: Queryable,
  userId: number,
  { sealedSecret, step, now }: { readonly sealedSecret: string; readonly step: number; readonly now: number },
): Promise<boolean> {
  const { count } = await database.query(
    `update two_factor set enabled_time = $4, last_step = $3
     where user_id = $1 and sealed_secret = $2 and enabled_time is null and last_step < $3`,
    [userId, sealedSecret, step, now],
  );
  return count === 1;
}

/** Uses up the step and all before it. False when it was used up already. */
export async function useStep(database: Queryable, userId: number, sealedSecret: string, step: number): Promise<boolean> {
  const { count } = await database.query(
    'update two_factor set last_step = $3 where user_id = $1 and sealed_secret = $2 and last_step < $3 and enabled_time is not null',
    [userId, sealedSecret, step],
  );
  return count === 1;
}

export async function useBackupCode(database: Queryable, userId: number, codeHash: string): Promise<boolean> {
  const { count } = await database.query('delete from two_factor_backup_code where user_id = $1 and code_hash = $2', [userId, codeHash]);
  return count === 1;
}

/** Inside a transaction. False when the second factor is off. Locked: of two that are made at once one is good. */
export async function replaceBackupCodes(database: Queryable, userId: number, codeHashes: readonly string[]): Promise<boolean> {
  const { rows } = await database.query('select 1 from two_factor where user_id = $1 and enabled_time is not null for update', [userId]);
  if (rows.length === 0) return false;
  await database.query('delete from two_factor_backup_code where user_id = $1', [userId]);
  await database.query('insert into two_factor_backup_code (user_id, code_hash) select $1, unnest($2::text[])', [userId, codeHashes]);
  return true;
}

/** False when none was on. */
export async function removeTwoFactor(database: Queryable, userId: number): Promise<boolean> {
  const { rows } = await database.query<{ was_on: boolean }>(
    'delete from two_factor where user_id = $1 returning enabled_time is not null as was_on',
    [userId],
  );
  return rows[0]?.was_on ?? false;
}
