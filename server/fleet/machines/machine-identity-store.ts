/** Distinguishes machines that alternately report one key, by their names and the names of their packages, and stores which ones do. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { ownJson } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { raiseRevision } from '../../platform/database/rows/list-revision-store.ts';

/** One of the machines of a key. The stored list begins with the one that reported last. */
interface MachineIdentity {
  /** The id within the key; exceptions refer to it. */
  readonly id: number;
  readonly name: string;
  /** See packageSketch. */
  readonly sketch: readonly number[];
  /** Epoch milliseconds. */
  readonly lastSeen: number;
}

/** A machine without a report for longer is removed. */
const identityTtlMs = 30 * 24 * 3_600_000;
const maxIdentities = 4;
const maxSketch = 16;
/** Machines that share less than half of their packages differ. */
const minShared = 0.5;

/**
 * Returns the lowest hashes of package and application names, from which the share of common names of two machines is estimated.
 */
export function packageSketch({ packages, applications }: Machine): number[] {
  const lowest: number[] = [];
  for (const named of [packages, applications])
    for (const { name } of named) {
      const hash = hashName(name);
      if (lowest.length === maxSketch && hash >= (lowest.at(-1) ?? 0)) continue;
      const at = lowest.findIndex((other) => other >= hash);
      if (lowest[at] === hash) continue;
      lowest.splice(at === -1 ? lowest.length : at, 0, hash);
      if (lowest.length > maxSketch) lowest.pop();
    }
  return lowest;
}

/** FNV-1a, 31 bits. */
function hashName(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 1;
}

interface IdentityReport {
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

const IdentityRow = z.object({
  id: z.number(),
  identities: ownJson<readonly MachineIdentity[]>(),
  identity: z.number(),
  last_seen: z.number(),
  shared_on: z.number().nullable(),
});

interface WrittenIdentities {
  /** Values for columns of machine_standing. */
  readonly identities: string;
  readonly identity: number;
  readonly sharedOn: number | null;
  /** The names that report the key, when several are detected now. */
  readonly namesOfKey: readonly string[] | null;
  /** True when another machine than before reports the key. */
  readonly isOther: boolean;
}

/** Requires the fleet's lock, before the machines are written. Returns one entry per report, in order. */
export async function identitiesToWrite(
  tx: Queryable,
  clientId: number,
  reports: readonly (Omit<IdentityReport, 'now'> & { readonly id: number })[],
  now: number,
): Promise<readonly WrittenIdentities[]> {
  const rows = await queryRows(
    tx,
    IdentityRow,
    'select id, identities, identity, last_seen, shared_on from machine_standing where client_id = $1 and id = any($2::bigint[])',
    [clientId, arrayText(reports.map(({ id }) => id))],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return reports.map(({ id, name, sketch }) => {
    const before = known.get(id);
    const { identities, returned } = identify(
      { name, sketch, now },
      before === undefined ? null : { identities: before.identities, lastSeen: before.last_seen },
    );
    const identity = identities[0]?.id ?? 0;
    return {
      identities: JSON.stringify(identities),
      identity,
      sharedOn: returned ? now : (before?.shared_on ?? null),
      namesOfKey:
        returned && before?.shared_on === null
          ? [...new Set(identities.map((one) => one.name))]
          : null,
      isOther: before !== undefined && before.identity !== identity,
    };
  });
}

/** Clears the mark of keys that one machine alone has reported for long enough. Reads all partitions. */
export async function forgetSharedKeys(database: Queryable, now: number): Promise<void> {
  const { count } = await database.query(
    'update machine_standing set shared_on = null where shared_on < $1',
    [now - identityTtlMs],
  );
  if (count > 0) await raiseRevision(database, machineList, 0);
}
