/** The browser's cookie during a sign-in with an identity provider, sealed so that only this service reads and creates it. */
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { z } from 'zod';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectFrom: z.string().optional(),
  /** The person must sign in again at the provider. */
  fresh: z.boolean().optional(),
  endsTime: z.number(),
});
export type Attempt = z.infer<typeof Attempt>;

export const ssoCookie = 'patch_sso';
export const attemptMs = 10 * 60_000;

/** Returns the header that sets the cookie. Lax: browsers send it when the identity provider redirects back. */
export function setAttempt(
  box: SecretBox,
  attempt: Attempt,
  encrypted: boolean,
): Readonly<Record<string, string>> {
  const sealed = box.seal(JSON.stringify(attempt));
  const attributes = [
    'Path=/api',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${attemptMs / 1000}`,
    ...(encrypted ? ['Secure'] : []),
  ];
  return { 'set-cookie': [`${ssoCookie}=${sealed}`, ...attributes].join('; ') };
}

/** Returns null when the cookie is absent, expired, or not from this service. */
export function readAttempt(box: SecretBox, cookie: string | null, now: number): Attempt | null {
  const text = cookie === null ? null : box.open(cookie);
  if (text === null) return null;
  const attempt = Attempt.parse(JSON.parse(text));
  return attempt.endsTime > now ? attempt : null;
}

/** Identifies the browser, for tickets that are valid only there. */
export const browserHash = sha256Hex;

/** Identifies an attempt after a browser has returned from it. */
export const stateHash = sha256Hex;
