/** Whether somebody has the second factor of a user who asks for one. A code that was taken is good no more. */
import { otpRequired, otpWrong } from '@patch/contract/two-factor-calls.ts';
import { countedTry } from '../auth/counted-try.ts';
import type { Database } from '../database/database.ts';
import { Refusal } from '../http/refusal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { backupCodeHash } from './backup-codes.ts';
import { stepOfTotp } from './totp.ts';
import { readTwoFactor, useBackupCode, useStep } from './two-factor-store.ts';

/**
 * From all addresses together: a million codes are few for somebody with the password and many addresses. It locks nobody
 * out who has no password.
 */
const limits = { most: 20, withinMs: 15 * 60_000 };

export interface SecondFactor {
  isOn(userId: number): Promise<boolean>;
  /** Nothing happens when it is off. Else it throws the Refusal `otp_required` or `otp_wrong`, or uses up the code. */
  demand(userId: number, otp: string | undefined): Promise<void>;
}

export function secondFactorOf(database: Database, box: SecretBox, clock: () => number): SecondFactor {
  async function isRight(userId: number, sealedSecret: string, otp: string): Promise<boolean> {
    const now = clock();
    if (!/^\d{6}$/.test(otp)) return useBackupCode(database, userId, backupCodeHash(userId, otp));
    const secret = box.open(sealedSecret);
    if (secret === null) throw keyChanged();
    const step = stepOfTotp(Buffer.from(secret, 'base64url'), otp, now);
    return step !== null && useStep(database, userId, sealedSecret, step);
  }

  return {
    async isOn(userId) {
      return isOn(await readTwoFactor(database, userId));
    },

    async demand(userId, otp = '') {
      const stored = await readTwoFactor(database, userId);
      if (!isOn(stored)) return;
      const typed = otp.trim();
      if (typed === '')
        throw new Refusal(401, otpRequired, 'Enter the code that your authenticator app shows now, or one of your backup codes.');
      const of = { account: `second factor of user ${userId}`, network: 'any', what: 'codes', limits, now: clock() };
      const right = await countedTry(database, of, () => isRight(userId, stored.sealedSecret, typed));
      if (!right) throw new Refusal(401, otpWrong, 'The code is not right, or was used already. Wait for the next one that the app shows.');
    },
  };
}

function isOn<Stored extends { readonly enabledTime: number | null }>(stored: Stored | null): stored is Stored {
  return stored !== null && stored.enabledTime !== null;
}

export const keyChanged = () =>
  new Refusal(
    503,
    'secret_key_changed',
    'The code cannot be checked: the secret key of this service has changed. Use a backup code, or ask an administrator to switch the second factor off.',
  );
