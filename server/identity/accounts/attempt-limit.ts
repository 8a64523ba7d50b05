/**
 * Limits failed attempts: after five within 15 minutes, further attempts from that network are refused for 15 minutes. The
 * database stores the count, so that it applies across processes.
 */
import { normalizeIP } from '@fastify/rate-limit';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { isTemporary } from '../../platform/errors/error-codes.ts';
import {
  type AttemptLimits,
  clearAttempts,
  countAttempt,
  undoAttempt,
} from './sign-in-attempt-store.ts';

const lockOut: AttemptLimits = { maxAttempts: 5, withinMs: 15 * 60_000 };

interface LimitedAttempt {
  /** The `accountKey` of a user, or another subject of attempts. */
  readonly account: string;
  /** The `networkKey` of the caller, or a constant when all networks share one limit. */
  readonly network: string;
  /** The noun in the error message: "Too many wrong passwords". */
  readonly subject: string;
  readonly now: number;
  readonly limits?: AttemptLimits;
  /** True (the default): a success clears the count. False: a success only removes its own attempt. */
  readonly clearsCount?: boolean;
}

export const accountKey = (userId: number): string => `user ${userId}`;

/** An IPv6 customer has a /64: counting its single addresses would stop no one. */
export const networkKey = (address: string): string => normalizeIP(address, 64);

/**
 * Counts a failure unless `work` returns true or could not run.
 * @throws AppError `locked_out` after too many failures.
 */
export function withAttemptLimit(
  database: Database,
  { account, network, subject, now, limits = lockOut, clearsCount = true }: LimitedAttempt,
  work: () => Promise<boolean>,
): Promise<boolean> {
  // Each attempt counts as a failure until it succeeds. Attempts run one after the other, so that concurrent correct ones are not
  // locked out.
  return serialize(`${account} ${network}`, async () => {
    const lockedUntil = await countAttempt(database, account, network, now, limits);
    if (lockedUntil !== null) throw attemptLimitError(subject, lockedUntil - now);
    const right = await work().catch(async (failure: unknown) => {
      // The outcome is unknown: a caller who must try again must not be locked out for it.
      if (isUntried(failure))
        await undoAttempt(database, account, network, now).catch(() => undefined);
      throw failure;
    });
    if (right && clearsCount) await clearAttempts(database, account, network);
    else if (right) await undoAttempt(database, account, network, now);
    return right;
  });
}

/** Returns true when the work could not run, or was refused before it ran. */
const isUntried = (failure: unknown) => !(failure instanceof AppError) || isTemporary(failure.code);

const last = new Map<string, Promise<unknown>>();

async function serialize<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}

export function attemptLimitError(subject: string, remainingMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(remainingMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new AppError('locked_out', `Too many wrong ${subject}. Try again in ${when}.`, {
    retryAfterSeconds: seconds,
  });
}
