/** The browser's answer when a passkey signs a challenge (WebAuthn level 3, 5.1: `PublicKeyCredential.toJSON()`). */
import { z } from 'zod';

export const base64url = (most: number) =>
  z
    .string()
    .min(1, 'is required')
    .max(most)
    .regex(/^[\w-]+$/, 'must be base64url');

/** A credential id has at most 1,023 bytes. */
export const CredentialId = base64url(1400);

export const PasskeyAssertion = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(16_384),
    userHandle: base64url(128).nullish(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;
