/**
 * Resetting a forgotten password by an emailed link, valid once and for half an hour. No reply reveals whether an address is
 * known.
 */
import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { PasswordPolicy } from './form-rules/password-rules.ts';
import { noBody, noParams, noQuery } from './no-input.ts';

const ResetId = z.object({ id: z.string().regex(/^[\w-]{43}$/, 'is not a reset link') });

export const forgotPasswordEndpoint = defineEndpoint({
  name: 'forgot_password',
  summary: 'Request a link to reset a password',
  tag: 'Sign-in',
  method: 'POST',
  path: '/user/forgotpassword',
  access: 'public',
  rateLimit: { perMinute: 20 },
  params: noParams,
  query: noQuery,
  body: z.strictObject({ email: z.string().min(1, 'is required').max(254) }),
  reply: z.object({ message: z.string() }),
});

export const resetLinkEndpoint = defineEndpoint({
  name: 'reset_link',
  summary: 'Whether a reset link is still valid, and the password policy',
  tag: 'Sign-in',
  method: 'GET',
  path: '/user/passwordreset/{id}',
  secretParams: ['id'],
  access: 'public',
  params: ResetId,
  query: noQuery,
  body: noBody,
  /** `apiKeys`: the names of the user's API keys, which may be revoked with the old password. */
  reply: z.object({ name: z.string(), policy: PasswordPolicy, apiKeys: z.array(z.string()) }),
});

export const resetPasswordEndpoint = defineEndpoint({
  name: 'reset_password',
  summary: 'Set a new password with a reset link; all sessions of the user end',
  tag: 'Sign-in',
  method: 'POST',
  path: '/user/passwordreset/{id}',
  secretParams: ['id'],
  access: 'public',
  rateLimit: { perMinute: 60 },
  params: ResetId,
  query: noQuery,
  body: z.strictObject({
    newPassword: z.string().min(1, 'is required').max(1024),
    endApiKeys: z.boolean().optional(),
  }),
  reply: z.object({ message: z.literal('Password has been reset successfully.') }),
});
