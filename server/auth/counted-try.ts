/**
 * Tries that may go wrong only so often: after five within 15 minutes further ones from that network are refused for 15 minutes.
 * The count is in the database, so that it holds over several processes.
 */
import { normalizeIP } from '@fastify/rate-limit';
import type { Database } from '../database/database.ts';
import { failureOf } from '../http/failure-of.ts';
import { Refusal } from '../http/refusal.ts';
import { type AttemptLimits, countAttempt, forgetAttempts, takeAttemptBack } from './sign-in-attempt-store.ts';

const lockOut: AttemptLimits = { most: 5, withinMs: 15 * 60_000 };

interface Tried {
  /** `accountOf` a user, or what else is tried. */
  readonly account: string;
  /** `networkOf` whoever tries, or all alike. */
  readonly network: string;
  /** Of which too many were wrong. */
  readonly what: string;
  readonly now: number;
  readonly limits?: AttemptLimits;
  /** A right one clears the count; true when absent. Otherwise it is only not counted itself. */
  readonly forgets?: boolean;
}

export const accountOf = (userId: number): string => `user ${userId}`;

/** A customer's IPv6 network is a /64: counting single addresses of it would not stop anybody. */
export const networkOf = (address: string): string => normalizeIP(address, 64);

/** Counts as a wrong one unless `work` answers true, or could not be done (5xx). Refuses with 429 once there were too many. */
export function countedTry(
  database: Database,
  { account, network, what, now, limits = lockOut, forgets = true }: Tried,
  work: () => Promise<boolean>,
): Promise<boolean> {
  // It counts as a wrong one until it is known to be right; in turn, so that many right ones at once are not locked out.
  return inTurn(`${account} ${network}`, async () => {
    const lockedUntil = await countAttempt(database, account, network, now, limits);
    if (lockedUntil !== null) throw tooManyTries(what, lockedUntil - now);
    const right = await work().catch(async (failure: unknown) => {
      // Nothing was found out: who is told to try again must not be locked out for it.
      if (isUntried(failureOf(failure).status)) await takeAttemptBack(database, account, network, now).catch(() => undefined);
      throw failure;
    });
    if (right && forgets) await forgetAttempts(database, account, network);
    else if (right) await takeAttemptBack(database, account, network, now);
    return right;
  });
}

/** It could not be done, or was refused before it was done. */
const isUntried = (status: number) => status >= 500 || status === 429;

const last = new Map<string, Promise<unknown>>();

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}

export function tooManyTries(what: string, leftMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new Refusal(429, 'locked_out', `Too many wrong ${what}. Try again in ${when}.`, { 'retry-after': String(seconds) });
}
