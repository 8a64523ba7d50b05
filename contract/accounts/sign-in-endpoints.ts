/** Signing in and out, the current user, and changing the own password. */
import { z } from 'zod';
import { Message } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { userTypes } from '../base/user-types.ts';
import { PasswordPolicy } from '../form-rules/password-rules.ts';
import { PasskeyAssertion } from './passkey-assertion.ts';

export const SignedInUser = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  userType: z.enum(userTypes),
  /** Numbers of the groups whose machines alone exist for the user; null or absent: all machines. */
  machineGroups: z.array(z.number().int()).nullable().optional(),
  /** IANA name; null for the browser's own. */
  timezone: z.string().nullable(),
  /** All other calls are refused until the password has been changed. */
  mustChangePassword: z.boolean(),
  /** All other calls of this session are refused until a second factor is set up. */
  mustSetUpSecondFactor: z.boolean().optional(),
  /** The picture's file name, for `GET /public/renderImage/{fileName}`; null or absent without one. */
  avatar: z.string().nullable().optional(),
});
export type SignedInUser = z.infer<typeof SignedInUser>;

export const loginTypes = ['support-portal', 'sso'] as const;

export const authenticateEndpoint = defineEndpoint({
  name: 'authenticate',
  summary: 'Sign in with user name or email address, and password',
  tag: 'Sign-in',
  method: 'POST',
  path: '/authenticate',
  access: 'public',
  rateLimit: { perMinute: 120 },
  body: z.object({
    username: z.string().min(1, 'is required').max(255),
    password: z.string().min(1, 'is required').max(1024),
    loginType: z.enum(loginTypes).optional(),
    otp: z.string().max(16).optional(),
    /** Replaces `otp`: the answer to the challenge of `POST /authenticate/secondfactor`. */
    passkey: PasskeyAssertion.optional(),
  }),
  reply: z.object({
    /** Sent as `Authorization: Apikey <token>`. */
    token: z.string(),
    /** Epoch milliseconds; each request extends it, up to the session's end. */
    expiresAt: z.number(),
    user: SignedInUser,
  }),
});

export const meEndpoint = defineEndpoint({
  name: 'me',
  summary: 'The current user',
  tag: 'Sign-in',
  method: 'GET',
  path: '/me',
  access: 'standard',
  machines: 'none',
  scope: 'read',
  reply: SignedInUser,
});

const users = { tag: 'Sign-in', access: 'standard', machines: 'none' } as const;

export const signOutEndpoint = defineEndpoint({
  ...users,
  name: 'sign_out',
  summary: 'End this session',
  method: 'POST',
  path: '/signout',
  reply: Message,
});

export const passwordPolicyEndpoint = defineEndpoint({
  ...users,
  name: 'password_policy',
  summary: 'The password policy',
  method: 'GET',
  path: '/user/passwordpolicy',
  reply: PasswordPolicy,
});

export const changePasswordEndpoint = defineEndpoint({
  ...users,
  name: 'change_password',
  summary: 'Change the current user’s password; all sessions of the user end',
  method: 'POST',
  path: '/user/changepassword',
  body: z.object({
    oldPassword: z.string().min(1, 'is required').max(1024),
    newPassword: z.string().min(1, 'is required').max(1024),
    /** Also revokes the user's API keys. */
    endApiKeys: z.boolean().optional(),
  }),
  reply: z.object({ message: z.literal('password updated successfully') }),
});

/** Codes of refusals: of a call that requires a recent proof, and of a proof that must be given at an identity provider. */
export const reauthenticationRequired = 'reauthentication_required';
export const proveAtProvider = 'prove_at_provider';

/** Minutes for which a proof is valid; the sign-in counts as one. */
export const proofMinutes = 10;

export const proveIdentityEndpoint = defineEndpoint({
  ...users,
  name: 'prove_identity',
  summary:
    'Confirm the current user’s identity by password and second factor; 409 in a session that an identity provider started',
  method: 'POST',
  path: '/me/proof',
  body: z.strictObject({
    password: z.string().min(1, 'is required').max(1024),
    otp: z.string().max(16).optional(),
    /** Replaces `otp`: the answer to the challenge of `POST /me/proof/secondfactor`. */
    passkey: PasskeyAssertion.optional(),
  }),
  reply: z.object({ provenUntil: z.number().describe('Epoch milliseconds') }),
});
