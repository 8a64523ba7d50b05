/** What a browser keeps while a person signs in with an identity provider: sealed, so that only this service reads and makes it. */
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { z } from 'zod';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectFrom: z.string().optional(),
  /** The person was to sign in at the provider again. */
  fresh: z.boolean().optional(),
  endsTime: z.number(),
});
export type Attempt = z.infer<typeof Attempt>;

export const ssoCookie = 'patch_sso';
export const attemptMs = 10 * 60_000;

/** The header that sets it. Lax: it comes along when the identity provider leads back. */
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

/** Null without one, for one that is over, or was not made here. */
export function readAttempt(box: SecretBox, cookie: string | null, now: number): Attempt | null {
  const text = cookie === null ? null : box.open(cookie);
  if (text === null) return null;
  const attempt = Attempt.parse(JSON.parse(text));
  return attempt.endsTime > now ? attempt : null;
}

/** Which browser it is, for what is good in that one alone. */
export const browserHash = sha256Hex;

/** By which an attempt is remembered once a browser has come back from it. */
export const stateHash = sha256Hex;
