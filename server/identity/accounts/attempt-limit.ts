/**
 * Limits failed attempts: after five within 15 minutes, further attempts from that network are refused for 15 minutes.
 * The count is in the database, so that it applies across processes.
 */
import { normalizeIP } from '@fastify/rate-limit';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { isTemporary } from '../../platform/errors/error-codes.ts';
import {
  type AttemptLimits,
  countAttempt,
  forgetAttempts,
  undoAttempt,
} from './sign-in-attempt-store.ts';

const lockOut: AttemptLimits = { most: 5, withinMs: 15 * 60_000 };

interface Tried {
  /** `accountOf` a user, or another subject of attempts. */
  readonly account: string;
  /** `networkOf` the caller, or a constant when all networks share one limit. */
  readonly network: string;
  /** What was wrong too often, for the message. */
  readonly what: string;
  readonly now: number;
  readonly limits?: AttemptLimits;
  /** A successful attempt clears the count; true when absent. Otherwise it is only not counted itself. */
  readonly forgets?: boolean;
}

export const accountOf = (userId: number): string => `user ${userId}`;

/** A customer's IPv6 network is a /64: counting its single addresses would stop no one. */
export const networkOf = (address: string): string => normalizeIP(address, 64);

/** Counts as a failure unless `work` returns true, or could not run. Throws an AppError `locked_out` after too many failures. */
export function withAttemptLimit(
  database: Database,
  { account, network, what, now, limits = lockOut, forgets = true }: Tried,
  work: () => Promise<boolean>,
): Promise<boolean> {
  // It counts as a failure until it succeeds; serialized, so that many concurrent correct attempts are not locked out.
  return inTurn(`${account} ${network}`, async () => {
    const lockedUntil = await countAttempt(database, account, network, now, limits);
    if (lockedUntil !== null) throw attemptLimitError(what, lockedUntil - now);
    const right = await work().catch(async (failure: unknown) => {
      // The outcome is unknown: a caller who is asked to try again must not be locked out for it.
      if (isUntried(failure))
        await undoAttempt(database, account, network, now).catch(() => undefined);
      throw failure;
    });
    if (right && forgets) await forgetAttempts(database, account, network);
    else if (right) await undoAttempt(database, account, network, now);
    return right;
  });
}

/** The work could not run, or was refused before it ran. */
const isUntried = (failure: unknown) => !(failure instanceof AppError) || isTemporary(failure.code);

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

export function attemptLimitError(what: string, leftMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new AppError('locked_out', `Too many wrong ${what}. Try again in ${when}.`, {
    retryAfterSeconds: seconds,
  });
}
