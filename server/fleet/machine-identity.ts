/** Tells the machines apart that report one key in turns: by their names and by the names of their packages. Pure. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';

/** One of the machines of a key. They are stored with the one first that reported last. */
export interface MachineIdentity {
  /** Of the machine within its key; exceptions name it. */
  readonly id: number;
  readonly name: string;
  /** See packageSketch. */
  readonly sketch: readonly number[];
  /** Epoch milliseconds. */
  readonly lastSeen: number;
}

/** A machine that has not reported for longer is forgotten. */
export const identityTtlMs = 30 * 24 * 3_600_000;
const maxIdentities = 4;
const maxSketch = 16;
/** Machines that share less than half of their packages differ. */
const minShared = 0.5;

/** The lowest hashes of the names of packages and applications: two sketches tell how many names two machines share. */
export function packageSketch({ packages, applications }: Machine): number[] {
  const names = new Set([...packages, ...applications].map(({ name }) => name));
  return [...new Set(Array.from(names, hashOf))].toSorted((a, b) => a - b).slice(0, maxSketch);
}

/** FNV-1a, 31 bits. */
function hashOf(text: string): number {
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

/** `returned`: a machine came back after another one had reported the key. `known` null: the key is new. */
export function identify(
  { name, sketch, now }: IdentityReport,
  known: KnownIdentities | null,
): { readonly identities: readonly MachineIdentity[]; readonly returned: boolean } {
  // Equal reports note their time on the machine alone.
  const recent = (known?.identities ?? [])
    .map((one, index) => (index === 0 ? { ...one, lastSeen: known?.lastSeen ?? now } : one))
    .filter(({ lastSeen }) => now - lastSeen <= identityTtlMs);
  const found = recent.findIndex(
    (one) => fold(one.name) === fold(name) && areAlike(one.sketch, sketch),
  );
  const id = recent[found]?.id ?? hashOf(`${fold(name)} ${sketch.join(' ')}`);
  const current = { id, name, sketch, lastSeen: now };
  const others = recent.filter((_, index) => index !== found);
  return { identities: [current, ...others].slice(0, maxIdentities), returned: found > 0 };
}

/** Nothing is concluded from a machine whose packages are not known. */
function areAlike(a: readonly number[], b: readonly number[]): boolean {
  if (a.length === 0 || b.length === 0) return true;
  const [inA, inB] = [new Set(a), new Set(b)];
  const lowest = [...new Set([...a, ...b])].toSorted((x, y) => x - y).slice(0, maxSketch);
  const shared = lowest.filter((hash) => inA.has(hash) && inB.has(hash)).length;
  return shared / lowest.length >= minShared;
}
