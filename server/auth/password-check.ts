/** Whether a password is somebody's. Wrong ones are counted; unknown accounts are counted alike and take as long. */
import { createHash } from 'node:crypto';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { Database } from '../database/database.ts';
import { accountOf, countedTry, networkOf } from './counted-try.ts';
import { isPassword } from './password-hash.ts';

export interface PasswordTry {
  /** What was typed, when nobody is called so. */
  readonly account: { readonly id: number; readonly passwordHash: string } | string;
  readonly password: string;
  readonly address: string;
  readonly now: number;
  /** What a right password is not enough without. What it throws counts like a wrong password. */
  readonly andThen?: () => Promise<void>;
}

/** Refuses with 429 once the account is locked out. */
export function checkPassword(database: Database, { account, password, address, now, andThen }: PasswordTry): Promise<boolean> {
  // Hashed, because people type their password where their name belongs.
  const key = typeof account === 'string' ? `unknown ${sha256(fold(account.trim()))}` : accountOf(account.id);
  return countedTry(database, { account: key, network: networkOf(address), what: 'passwords', now }, async () => {
    const right = await isPassword(password, typeof account === 'string' ? null : account.passwordHash);
    if (right) await andThen?.();
    return right;
  });
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
