/**
 * Whether a password is somebody's. Five wrong ones within 15 minutes lock the account out for that address for 15 minutes;
 * the count is in the database, so that it holds over several processes. Unknown accounts are counted and take as long.
 */
import { createHash } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { Database } from '../database/database.ts';
import { Refusal } from '../http/refusal.ts';
import { isPassword } from './password-hash.ts';
import { countAttempt, forgetAttempts } from './sign-in-attempt-store.ts';

export const lockOut = { most: 5, withinMs: 15 * 60_000 };

export interface PasswordTry {
  /** What was typed, when nobody is called so. */
  readonly account: { readonly id: number; readonly passwordHash: string } | string;
  readonly password: string;
  readonly address: string;
  readonly now: number;
}

/** Refuses with 429 once the account is locked out. */
export function checkPassword(database: Database, { account, password, address, now }: PasswordTry): Promise<boolean> {
  // Hashed, because people type their password where their name belongs.
  const key = typeof account === 'string' ? `unknown ${sha256(fold(account.trim()))}` : `user ${account.id}`;
  // A customer's IPv6 network is a /64: counting single addresses of it would not stop anybody.
  const network = normalizeIP(address, 64);
  // A try counts as a wrong one until it is known to be right; in turn, so that many right ones at once are not locked out.
  return inTurn(`${key} ${network}`, async () => {
    const lockedUntil = await countAttempt(database, key, network, now, lockOut);
    if (lockedUntil !== null) throw lockedOut(lockedUntil - now);
    const right = await isPassword(password, typeof account === 'string' ? null : account.passwordHash);
    if (right) await forgetAttempts(database, key, network);
    return right;
  });
}

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

function lockedOut(leftMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new Refusal(429, 'locked_out', `Too many wrong passwords. Try again in ${when}.`, { 'retry-after': String(seconds) });
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
