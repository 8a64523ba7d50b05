/**
 * Limits failed attempts: after five within 15 minutes, further attempts from that network are refused for 15 minutes. The
 * database stores the count, so that it applies across processes. Wrong passwords at sign-in are counted by the typed name, so
 * that existing and unknown accounts behave alike. Nothing locks an account: see docs/decisions/021.
 */
import { normalizeIP } from '@fastify/rate-limit';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { isTemporary } from '../../platform/errors/error-codes.ts';
import { isPassword } from './password-hash.ts';
import {
  type AttemptLimits,
  clearAllAttempts,
  clearAttempts,
  countAttempt,
  isKnownNetwork,
  noteNetwork,
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

export interface PasswordAttempt<Found> {
  readonly account: { readonly user: { readonly id: number }; readonly passwordHash: string };
  readonly password: string;
  readonly address: string;
  readonly now: number;
  /** A further check after a correct password. Its error counts like a wrong password. */
  readonly andThen?: () => Promise<Found>;
}

/**
 * Checks the password of a person who is already signed in, and returns what `andThen` returns. Wrong ones are counted, so that an
 * open session cannot be used to guess it.
 * @throws AppError `wrong_password`, and `locked_out` after too many wrong passwords.
 */
export async function checkPassword<Found = void>(
  database: Database,
  { account: { user, passwordHash }, password, address, now, andThen }: PasswordAttempt<Found>,
): Promise<Found | undefined> {
  const attempt = { account: accountKey(user.id), network: networkKey(address), now };
  let found: Found | undefined;
  const right = await withAttemptLimit(database, { ...attempt, subject: 'passwords' }, async () => {
    const isRight = await isPassword(password, passwordHash);
    if (isRight) found = await andThen?.();
    return isRight;
  });
  if (!right) throw new AppError('wrong_password', 'The current password is incorrect.');
  return found;
}

/** For one name, from all networks together that nobody has signed in from. */
const unknownNetworkLimits: AttemptLimits = { maxAttempts: 20, withinMs: 15 * 60_000 };
/** Applies after `unknownNetworkLimits`: one attempt a minute. */
const slowedLimits: AttemptLimits = { maxAttempts: 1, withinMs: 60_000 };
const anyNetwork = 'any';

export interface SignInAttempt {
  /** The name as typed. */
  readonly username: string;
  readonly address: string;
  readonly now: number;
  readonly isRight: () => Promise<boolean>;
  /** A further check after a correct password. Its error counts as a wrong attempt for the name from that network. */
  readonly andThen?: () => Promise<void>;
  /** Whether a correct password clears the count of the name from that network; true when absent. */
  readonly clearsCount?: boolean;
}

/**
 * Returns whether the password was correct.
 * @throws AppError `locked_out` after five wrong attempts within 15 minutes for that name from that network, and while the name
 * is slowed for unknown networks.
 */
export function limitedSignIn(
  database: Database,
  { username, address, now, isRight, andThen, clearsCount = true }: SignInAttempt,
): Promise<boolean> {
  const name = nameKey(username);
  const network = networkKey(address);
  return withAttemptLimit(
    database,
    { account: name, network, subject: 'passwords', now, clearsCount },
    async () => {
      const known = await isKnownNetwork(database, network, now);
      if (!known) await waitForTurn(database, name, now);
      if (!(await isRight())) return false;
      if (!known) await undoAttempt(database, name, anyNetwork, now);
      await andThen?.();
      return true;
    },
  );
}

async function waitForTurn(database: Database, name: string, now: number): Promise<void> {
  if ((await countAttempt(database, name, anyNetwork, now, unknownNetworkLimits)) === null) return;
  const nextTurn = await countAttempt(database, `slowed ${name}`, anyNetwork, now, slowedLimits);
  if (nextTurn !== null) throw attemptLimitError('passwords', nextTurn - now);
}

export async function noteSignIn(
  database: Queryable,
  userId: number,
  address: string,
  now: number,
): Promise<void> {
  await noteNetwork(database, userId, networkKey(address), now);
}

/** Clears the attempts of a person who got another password: they often failed too many times before. */
export async function clearUserAttempts(
  tx: Queryable,
  { id, name, email }: Pick<SignedInUser, 'id' | 'name' | 'email'>,
): Promise<void> {
  const names = [name, email].filter((typed) => typed !== '').map(nameKey);
  for (const key of [accountKey(id), ...names.flatMap((each) => [each, `slowed ${each}`])])
    await clearAllAttempts(tx, key);
}

/** Hashed, because people sometimes type their password as their name. */
const nameKey = (typed: string) => `name ${sha256Hex(fold(typed.trim()))}`;
