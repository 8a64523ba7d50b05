/** Checks the second factor at sign-in. A code or a challenge is accepted once. */
import type { PasskeyAssertion } from '@patch/contract/accounts/passkey-assertion.ts';
import type { FactorChoices } from '@patch/contract/accounts/second-factor-endpoints.ts';
import { otpRequired, otpWrong } from '@patch/contract/accounts/two-factor-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { withAttemptLimit } from '../accounts/attempt-limit.ts';
import type { Passkeys } from './passkeys.ts';
import { findTotpStep } from './totp.ts';
import {
  countBackupCodes,
  hasSecondFactor,
  readApp,
  type StoredApp,
  useBackupCode,
  useStep,
} from './two-factor-store.ts';

/**
 * Counts attempts from all addresses together: a million codes are few for an attacker with the password and many addresses. It
 * locks out nobody without the password.
 */
const limits = { maxAttempts: 20, withinMs: 15 * 60_000 };

/** The second factor that the person presents. */
export interface ShownFactor {
  /** Six digits of the app, or a backup code. */
  readonly otp?: string | undefined;
  readonly passkey?: PasskeyAssertion | undefined;
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;

interface SecondFactorParts {
  readonly database: Database;
  readonly box: SecretBox;
  readonly passkeys: Pick<Passkeys, 'accepts' | 'requestOptions'>;
  readonly clock: () => number;
}

export function createSecondFactor({ database, box, passkeys, clock }: SecondFactorParts) {
  async function isRightCode(userId: number, otp: string): Promise<boolean> {
    if (!/^\d{6}$/.test(otp)) return useBackupCode(database, userId, otp);
    const app = await readApp(database, userId);
    if (!isOn(app)) return false;
    const secret = box.open(app.sealedSecret);
    if (secret === null) throw keyChanged();
    const step = findTotpStep(Buffer.from(secret, 'base64url'), otp, clock());
    return step !== null && useStep(database, userId, app.sealedSecret, step);
  }

  return {
    isOn: (userId: number) => hasSecondFactor(database, userId),

    /**
     * Does nothing when the person has no second factor. Otherwise uses up what was presented.
     * @throws AppError `otp_required` or `otp_wrong`
     */
    async demand(userId: number, { otp = '', passkey }: ShownFactor): Promise<void> {
      if (!(await hasSecondFactor(database, userId))) return;
      const typed = otp.trim();
      if (typed === '' && passkey === undefined)
        throw new AppError(
          otpRequired,
          'Enter the current code of your authenticator app, use a passkey, or enter a backup code.',
        );
      const attempt = {
        account: `second factor of user ${userId}`,
        network: 'any',
        subject: 'codes',
        limits,
        now: clock(),
      };
      const right = await withAttemptLimit(database, attempt, () =>
        passkey === undefined ? isRightCode(userId, typed) : passkeys.accepts(userId, passkey),
      );
      if (right) return;
      throw new AppError(
        otpWrong,
        passkey === undefined
          ? 'The code is incorrect, or has already been used. Wait for the next one in the app.'
          : 'The passkey was not accepted: it is not yours, or it took too long. Try again.',
      );
    },

    /** Returns the person's second factors, with a new challenge for their passkeys. */
    async choices(userId: number): Promise<FactorChoices> {
      const app = isOn(await readApp(database, userId));
      const backupCodesLeft = await countBackupCodes(database, userId);
      const passkey = await passkeys.requestOptions(userId);
      return { app, backupCodesLeft, passkey: passkey === null ? null : toRequest(passkey) };
    },
  };
}

function isOn(app: StoredApp | null): app is StoredApp {
  return app !== null && app.enabledTime !== null;
}

type Request = NonNullable<Awaited<ReturnType<Passkeys['requestOptions']>>>;

function toRequest({
  rpId = '',
  allowCredentials = [],
  ...options
}: Request): NonNullable<FactorChoices['passkey']> {
  return {
    ...options,
    rpId,
    allowCredentials: allowCredentials.map(({ id, transports }) => ({
      id,
      type: 'public-key' as const,
      ...(transports && { transports }),
    })),
  };
}

/** Returns whether the second factor was missing or wrong. */
export function isFactorError(
  failure: unknown,
): failure is AppError & { readonly code: typeof otpRequired | typeof otpWrong } {
  return failure instanceof AppError && (failure.code === otpRequired || failure.code === otpWrong);
}

export const keyChanged = () =>
  new AppError(
    'secret_key_changed',
    'The code cannot be checked: the secret key of this service has changed. Use a backup code, or ask an administrator to remove the second factor.',
  );

export const lastFactorNeeded = () =>
  new AppError(
    'second_factor_required',
    'A second factor is required here. An administrator can change that in the settings.',
  );
