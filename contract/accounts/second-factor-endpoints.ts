/** The second factors that a user can choose from, requested after the password and before the factor. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { authenticateEndpoint } from './sign-in-endpoints.ts';

/** The input of `navigator.credentials.get` (WebAuthn level 3, 5.5: `PublicKeyCredentialRequestOptionsJSON`). */
export const PasskeyRequestOptions = z.looseObject({
  challenge: z.string(),
  rpId: z.string(),
  allowCredentials: z.array(
    z.object({
      id: z.string(),
      type: z.literal('public-key'),
      transports: z.array(z.string()).optional(),
    }),
  ),
});

export const FactorChoices = z.object({
  /** True when an authenticator app with six digits is set up. */
  app: z.boolean(),
  backupCodesLeft: z.number().int(),
  /** Null when no passkey can be used; otherwise a challenge that is accepted once, within five minutes. */
  passkey: PasskeyRequestOptions.nullable(),
});
export type FactorChoices = z.infer<typeof FactorChoices>;

export const signInFactorsEndpoint = defineEndpoint({
  name: 'sign_in_factors',
  summary:
    'After user name and password: the possible second factors, with a challenge for passkeys',
  tag: 'Sign-in',
  method: 'POST',
  path: '/authenticate/secondfactor',
  access: 'public',
  rateLimit: { perMinute: 120 },
  body: authenticateEndpoint.body.omit({ otp: true, passkey: true }),
  reply: FactorChoices,
});

export const proofFactorsEndpoint = defineEndpoint({
  name: 'proof_factors',
  summary:
    'The current user’s possible second factors for `POST /me/proof`, with a challenge for passkeys',
  tag: 'Sign-in',
  method: 'POST',
  path: '/me/proof/secondfactor',
  access: 'standard',
  machines: 'none',
  reply: FactorChoices,
});
