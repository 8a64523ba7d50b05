/**
 * Checks the password of a person who is already signed in. Wrong ones are counted, so that an open session cannot be used to
 * guess it.
 */
import type { Database } from '../../platform/database/database.ts';
import { accountKey, networkKey, withAttemptLimit } from './attempt-limit.ts';
import { isPassword } from './password-hash.ts';

export interface PasswordAttempt {
  readonly account: { readonly id: number; readonly passwordHash: string };
  readonly password: string;
  readonly address: string;
  readonly now: number;
  /** A further check after a correct password. Its error counts like a wrong password. */
  readonly andThen?: () => Promise<void>;
}

/** @throws AppError `locked_out` after too many wrong passwords. */
export function checkPassword(
  database: Database,
  { account, password, address, now, andThen }: PasswordAttempt,
): Promise<boolean> {
  return withAttemptLimit(
    database,
    { account: accountKey(account.id), network: networkKey(address), subject: 'passwords', now },
    async () => {
      const right = await isPassword(password, account.passwordHash);
      if (right) await andThen?.();
      return right;
    },
  );
}
