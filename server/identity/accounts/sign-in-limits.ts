/**
 * Limits wrong passwords at sign-in. Attempts are counted by the typed name, so that existing and unknown accounts behave alike.
 * Nothing locks an account: see docs/decisions/021.
 */

import { fold } from '@patch/catalogue/definition/fold.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { accountKey, attemptLimitError, networkKey, withAttemptLimit } from './attempt-limit.ts';
import { isKnownNetwork, noteNetwork } from './known-network-store.ts';
import {
  type AttemptLimits,
  clearAllAttempts,
  countAttempt,
  undoAttempt,
} from './sign-in-attempt-store.ts';

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
