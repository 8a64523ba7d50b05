/** Whether a password is that of a person who is signed in already. Wrong ones are counted: an open session is no way to guess. */
import type { Database } from '../../platform/database/database.ts';
import { accountOf, networkOf, withAttemptLimit } from './attempt-limit.ts';
import { isPassword } from './password-hash.ts';

export interface PasswordAttempt {
  readonly account: { readonly id: number; readonly passwordHash: string };
  readonly password: string;
  readonly address: string;
  readonly now: number;
  /** What a right password is not enough without. What it throws counts like a wrong password. */
  readonly andThen?: () => Promise<void>;
}

/** Refuses with 429 after too many wrong ones. */
export function checkPassword(
  database: Database,
  { account, password, address, now, andThen }: PasswordAttempt,
): Promise<boolean> {
  return withAttemptLimit(
    database,
    { account: accountOf(account.id), network: networkOf(address), what: 'passwords', now },
    async () => {
      const right = await isPassword(password, account.passwordHash);
      if (right) await andThen?.();
      return right;
    },
  );
}
