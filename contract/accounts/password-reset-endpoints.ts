/**
 * Resetting a forgotten password by an emailed link, valid once and for half an hour. No reply reveals whether an address is
 * known.
 */
import { z } from 'zod';
import { Message } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { PasswordPolicy } from '../form-rules/password-rules.ts';

const ResetId = z.object({ id: z.string().regex(/^[\w-]{43}$/, 'is not a reset link') });

const visitors = { tag: 'Sign-in', access: 'public' } as const;

export const forgotPasswordEndpoint = defineEndpoint({
  ...visitors,
  name: 'forgot_password',
  summary: 'Request a link to reset a password',
  method: 'POST',
  path: '/user/forgotpassword',
  rateLimit: { perMinute: 20 },
  body: z.strictObject({ email: z.string().min(1, 'is required').max(254) }),
  reply: Message,
});

export const resetLinkEndpoint = defineEndpoint({
  ...visitors,
  name: 'reset_link',
  summary: 'Whether a reset link is still valid, and the password policy',
  method: 'GET',
  path: '/user/passwordreset/{id}',
  secretParams: ['id'],
  params: ResetId,
  /** `apiKeys`: the names of the user's API keys, which may be revoked with the old password. */
  reply: z.object({ name: z.string(), policy: PasswordPolicy, apiKeys: z.array(z.string()) }),
});

export const resetPasswordEndpoint = defineEndpoint({
  ...visitors,
  name: 'reset_password',
  summary: 'Set a new password with a reset link; all sessions of the user end',
  method: 'POST',
  path: '/user/passwordreset/{id}',
  secretParams: ['id'],
  rateLimit: { perMinute: 60 },
  params: ResetId,
  body: z.strictObject({
    newPassword: z.string().min(1, 'is required').max(1024),
    endApiKeys: z.boolean().optional(),
  }),
  reply: z.object({ message: z.literal('Password has been reset successfully.') }),
});
