/**
 * A second factor at sign-in: six digits that an authenticator app shows for 30 seconds (TOTP, RFC 6238), a passkey, or a backup
 * code.
 */
import { z } from 'zod';
import { IdParams, Message } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { PasskeyAssertion } from './passkey-assertion.ts';

/** Six digits, or a backup code with or without its hyphens. */
export const OneTimeCode = z.string().trim().min(1, 'is required').max(16);

export const backupCodeCount = 10;

/** Codes of `POST /authenticate` after a correct password: a one-time code is required, or was wrong. */
export const otpRequired = 'otp_required';
export const otpWrong = 'otp_wrong';

const ownPassword = z.string().min(1, 'is required').max(1024);

/** A change requires a proof of identity, so that an unattended screen cannot be misused. */
const Proof = z
  .strictObject({
    password: ownPassword,
    otp: OneTimeCode.optional(),
    passkey: PasskeyAssertion.optional(),
  })
  .refine(({ otp, passkey }) => (otp === undefined) !== (passkey === undefined), {
    message: 'is required unless a passkey is given; only one of them is allowed',
    path: ['otp'],
  });

/** A code of the app that is being set up. */
const FirstCode = z.strictObject({ password: ownPassword, otp: OneTimeCode });

export const BackupCodes = z.object({
  /** Each code is valid once. They are returned only now. */
  backupCodes: z.array(z.string()).length(backupCodeCount),
});

const path = '/user/twofactor';
const own = { tag: 'Two-factor', access: 'standard', machines: 'none' } as const;

export const twoFactorEndpoint = defineEndpoint({
  ...own,
  name: 'two_factor',
  summary: 'The second factors of the current user and the number of backup codes left',
  method: 'GET',
  path,
  reply: z.object({
    enabled: z.boolean(),
    enabledAt: z.number().nullable().describe('Epoch milliseconds'),
    backupCodesLeft: z.number().int(),
  }),
});

export const beginTwoFactorEndpoint = defineEndpoint({
  ...own,
  name: 'begin_two_factor',
  summary: 'A new secret for the authenticator app; it takes effect once it is enabled',
  method: 'POST',
  path: `${path}/secret`,
  reply: z.object({
    /** Base32, for typing. */
    secret: z.string(),
    /** The same secret for scanning: `otpauth://totp/…`. */
    uri: z.string(),
  }),
});

export const enableTwoFactorEndpoint = defineEndpoint({
  ...own,
  name: 'enable_two_factor',
  summary: 'Enable the authenticator app with a code from the new secret',
  method: 'POST',
  path,
  body: FirstCode,
  reply: BackupCodes,
});

export const renewBackupCodesEndpoint = defineEndpoint({
  ...own,
  name: 'renew_backup_codes',
  summary: 'Replace the backup codes with new ones',
  method: 'POST',
  path: `${path}/backupcodes`,
  body: Proof,
  reply: BackupCodes,
});

export const disableTwoFactorEndpoint = defineEndpoint({
  ...own,
  name: 'disable_two_factor',
  summary: 'Disable the current user’s authenticator app',
  method: 'POST',
  path: `${path}/off`,
  body: Proof,
  reply: Message,
});

export const removeUserTwoFactorEndpoint = defineEndpoint({
  name: 'remove_user_two_factor',
  summary: 'Remove all second factors of a user who has lost them and the backup codes',
  tag: 'Two-factor',
  method: 'DELETE',
  path: '/user/{id}/twofactor',
  access: 'admin',
  reauthenticates: true,
  params: IdParams,
  reply: Message,
});
