/**
 * A browser returns from the identity provider with a ticket in its address, which the console exchanges for a session. A ticket
 * can be used once, within a minute, in the browser that started: a leaked address is useless to anyone else.
 */
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { ssoFailures } from '@patch/contract/accounts/sso-endpoints.ts';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { accountKey, networkKey, withAttemptLimit } from '../accounts/attempt-limit.ts';
import { findUserById } from '../accounts/user-store.ts';
import type { IssuedSession, Sessions } from '../sessions/sessions.ts';
import type { SecondFactor, ShownFactor } from '../two-factor/second-factor.ts';
import { readSsoConfig } from './sso-config-store.ts';
import { addTicket, findTicketUser, prolongTicket, useTicket } from './sso-store.ts';

const ticketTtlMs = 60_000;
/** More time for users who have to find their phone: the ticket alone does not sign them in. */
const secondFactorTtlMs = 5 * 60_000;

interface PresentedTicket {
  readonly ticket: string;
  readonly factor: ShownFactor;
  /** The cookie of the attempt. */
  readonly cookie: string | null;
  readonly address: string;
  readonly userAgent: string;
}

export interface SsoTickets {
  /** @param provenTime When the person signed in at the provider; null when the provider does not say. */
  issue(userId: number, cookie: string, provenTime: number | null): Promise<string>;
  /**
   * Returns the ticket's user without using it up, and extends it for the second factor.
   * @throws AppError `sso_over` when it has expired.
   */
  holder(shown: Pick<PresentedTicket, 'ticket' | 'cookie'>): Promise<number>;
  exchange(shown: PresentedTicket): Promise<IssuedSession>;
}

interface SsoTicketParts {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly clock: () => number;
}

export function createSsoTickets({
  database,
  sessions,
  secondFactor,
  clock,
}: SsoTicketParts): SsoTickets {
  async function findTicket({ ticket, cookie }: Pick<PresentedTicket, 'ticket' | 'cookie'>) {
    const config = await readSsoConfig(database);
    if (config === null || !config.enabled)
      throw new AppError('sso_not_configured', 'Single sign-on is not configured.');
    if (cookie === null) throw ticketExpired();
    const ticketHash = sha256Hex(ticket);
    const holder = await findTicketUser(
      database,
      { ticketHash, browserHash: browserHash(cookie) },
      clock(),
    );
    if (holder === null) throw ticketExpired();
    return { ...holder, ticketHash };
  }

  return {
    async issue(userId, cookie, provenTime) {
      const ticket = randomBytes(32).toString('base64url');
      const now = clock();
      const times = { createdTime: now, expiresTime: now + ticketTtlMs };
      await addTicket(database, {
        ticketHash: sha256Hex(ticket),
        browserHash: browserHash(cookie),
        userId,
        provenTime,
        ...times,
      });
      return ticket;
    },

    async holder(shown) {
      const { userId, ticketHash } = await findTicket(shown);
      await prolongTicket(database, ticketHash, secondFactorTtlMs);
      return userId;
    },

    async exchange({ ticket, factor, cookie, address, userAgent }) {
      const { userId, provenTime, ticketHash } = await findTicket({ ticket, cookie });
      const now = clock();
      if (await secondFactor.isOn(userId)) {
        await prolongTicket(database, ticketHash, secondFactorTtlMs);
        await withAttemptLimit(
          database,
          { account: accountKey(userId), network: networkKey(address), subject: 'codes', now },
          async () => {
            await secondFactor.demand(userId, factor);
            return true;
          },
        );
      }
      const known = (await useTicket(database, ticketHash))
        ? await findUserById(database, userId)
        : null;
      const begun =
        known === null
          ? null
          : await sessions.begin(known.user, known.passwordHash, {
              address,
              userAgent,
              byProvider: true,
              provenTime,
            });
      if (begun === null) throw ticketExpired();
      return begun;
    },
  };
}

const ticketExpired = () => new AppError('sso_over', ssoFailures.over);

/** The cookie of the browser during a sign-in with an identity provider, sealed so that only this service reads and creates it. */
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
const browserHash = sha256Hex;

/** Identifies an attempt after a browser has returned from it. */
export const stateHash = sha256Hex;
