/** Distinguishes machines that alternately report one key, by their names and the names of their packages. Pure. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';

/** One of the machines of a key. The stored list begins with the one that reported last. */
export interface MachineIdentity {
  /** The id within the key; exceptions refer to it. */
  readonly id: number;
  readonly name: string;
  /** See packageSketch. */
  readonly sketch: readonly number[];
  /** Epoch milliseconds. */
  readonly lastSeen: number;
}

/** A machine without a report for longer is removed. */
export const identityTtlMs = 30 * 24 * 3_600_000;
const maxIdentities = 4;
const maxSketch = 16;
/** Machines that share less than half of their packages differ. */
const minShared = 0.5;

/**
 * Returns the lowest hashes of package and application names, from which the share of common names of two machines is estimated.
 */
export function packageSketch({ packages, applications }: Machine): number[] {
  const names = new Set([...packages, ...applications].map(({ name }) => name));
  return [...new Set(Array.from(names, hashName))].toSorted((a, b) => a - b).slice(0, maxSketch);
}

/** FNV-1a, 31 bits. */
function hashName(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 1;
}

export interface IdentityReport {
  readonly name: string;
  readonly sketch: readonly number[];
  readonly now: number;
}

export interface KnownIdentities {
  readonly identities: readonly MachineIdentity[];
  readonly lastSeen: number;
}

/**
 * Adds a report to the identities of a key. `returned` is true when a machine reports again after another one has reported the
 * key.
 * @param known Null for a new key.
 */
export function identify(
  { name, sketch, now }: IdentityReport,
  known: KnownIdentities | null,
): { readonly identities: readonly MachineIdentity[]; readonly returned: boolean } {
  // Repeated equal reports only update the machine's own time.
  const recent = (known?.identities ?? [])
    .map((one, index) => (index === 0 ? { ...one, lastSeen: known?.lastSeen ?? now } : one))
    .filter(({ lastSeen }) => now - lastSeen <= identityTtlMs);
  const found = recent.findIndex(
    (one) => fold(one.name) === fold(name) && areAlike(one.sketch, sketch),
  );
  const id = recent[found]?.id ?? hashName(`${fold(name)} ${sketch.join(' ')}`);
  const current = { id, name, sketch, lastSeen: now };
  const others = recent.filter((_, index) => index !== found);
  return { identities: [current, ...others].slice(0, maxIdentities), returned: found > 0 };
}

/** Returns true when a machine has no known packages, which proves nothing. */
function areAlike(a: readonly number[], b: readonly number[]): boolean {
  if (a.length === 0 || b.length === 0) return true;
  const [inA, inB] = [new Set(a), new Set(b)];
  const lowest = [...new Set([...a, ...b])].toSorted((x, y) => x - y).slice(0, maxSketch);
  const shared = lowest.filter((hash) => inA.has(hash) && inB.has(hash)).length;
  return shared / lowest.length >= minShared;
}
