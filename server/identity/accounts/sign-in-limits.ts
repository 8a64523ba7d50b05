/**
 * How often wrong passwords may be typed at sign-in. Everything is counted by what was typed for a name, so that an account that
 * exists and one that does not answer alike. Nothing locks an account: see docs/decisions/021.
 */

import { fold } from '@patch/catalogue/definition/fold.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { accountOf, attemptLimitError, networkOf, withAttemptLimit } from './attempt-limit.ts';
import { isKnownNetwork, noteNetwork } from './known-network-store.ts';
import {
  type AttemptLimits,
  countAttempt,
  forgetAllAttempts,
  undoAttempt,
} from './sign-in-attempt-store.ts';

/** Of one name from all networks together that nobody has signed in from. */
const everywhere: AttemptLimits = { most: 20, withinMs: 15 * 60_000 };
/** After that, one try a minute. */
const slowed: AttemptLimits = { most: 1, withinMs: 60_000 };
const anyNetwork = 'any';

export interface SignInAttempt {
  /** As it was typed. */
  readonly username: string;
  readonly address: string;
  readonly now: number;
  readonly isRight: () => Promise<boolean>;
  /** What a right password is not enough without. What it throws counts as a wrong try of the name from that network. */
  readonly andThen?: () => Promise<void>;
  /** Whether a right password clears what was counted of the name from that network; true when absent. */
  readonly forgets?: boolean;
}

/**
 * Answers whether the password was right. Throws an AppError `locked_out` after five wrong tries within 15 minutes for that name from that
 * network, and while the name is slowed for networks that are not known.
 */
export function limitedSignIn(
  database: Database,
  { username, address, now, isRight, andThen, forgets = true }: SignInAttempt,
): Promise<boolean> {
  const name = nameKey(username);
  const network = networkOf(address);
  return withAttemptLimit(
    database,
    { account: name, network, what: 'passwords', now, forgets },
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
  if ((await countAttempt(database, name, anyNetwork, now, everywhere)) === null) return;
  const nextTurn = await countAttempt(database, `slowed ${name}`, anyNetwork, now, slowed);
  if (nextTurn !== null) throw attemptLimitError('passwords', nextTurn - now);
}

export async function noteSignIn(
  database: Queryable,
  userId: number,
  address: string,
  now: number,
): Promise<void> {
  await noteNetwork(database, userId, networkOf(address), now);
}

/** For a person who got another password: they often tried too often before. */
export async function forgetAttemptsOf(
  tx: Queryable,
  { id, name, email }: Pick<SignedInUser, 'id' | 'name' | 'email'>,
): Promise<void> {
  const names = [name, email].filter((typed) => typed !== '').map(nameKey);
  for (const key of [accountOf(id), ...names.flatMap((each) => [each, `slowed ${each}`])])
    await forgetAllAttempts(tx, key);
}

/** Hashed, because people type their password where their name belongs. */
const nameKey = (typed: string) => `name ${sha256Hex(fold(typed.trim()))}`;
