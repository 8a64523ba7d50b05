/** The keys of a published tree, derived from the service's key, so that each process of an installation has the same. */
import { hash, hkdfSync } from 'node:crypto';
import { lastPeriod } from '@patch/contract/tree/family-keys.ts';
import type { TreeRoot } from '@patch/contract/tree/tree-root.ts';
import { keyId, type TreeSigner } from '@patch/contract/tree/tree-signatures.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { serviceSigner } from '../../platform/secrets/service-signer.ts';

/** Returns the secret from which all keys of the tree follow. */
export const treeSecret = (box: Pick<SecretBox, 'keyFor'>): Uint8Array =>
  box.keyFor('patch-repository catalogue tree');

export type ServiceRole = 'catalogue' | 'timestamp';

/** @param generation - Counts from 1; the next one replaces a key that others may know. */
export const treeSigner = (secret: Uint8Array, role: ServiceRole, generation: number) =>
  serviceSigner(secret, `patch-repository tree ${role} ${generation}`);

const mostGenerations = 100;

/** Returns the generation of the role's key that a root names; null when the service has none of them. */
export function findGeneration(
  secret: Uint8Array,
  role: ServiceRole,
  { [role]: { keys } }: Pick<TreeRoot, ServiceRole>,
): number | null {
  for (let generation = 1; generation <= mostGenerations; generation += 1)
    if (keys.includes(keyId(treeSigner(secret, role, generation).publicKey))) return generation;
  return null;
}

export function findSigner(
  secret: Uint8Array,
  role: ServiceRole,
  root: TreeRoot,
): TreeSigner | null {
  const generation = findGeneration(secret, role, root);
  return generation === null ? null : treeSigner(secret, role, generation);
}

/** Every so many periods a key is kept in memory, so that one costs at most so many hashes. */
const keptEvery = 256;

/** Computes the keys of families: the first one of a family takes tens of milliseconds. */
export class FamilyKeys {
  readonly #secret: Uint8Array;
  readonly #kept = new Map<string, readonly Uint8Array[]>();

  /** Differs for each secret, and says nothing of it. */
  readonly id: string;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
    const id = hkdfSync('sha256', secret, '', 'patch-repository tree families', 8);
    this.id = Buffer.from(id).toString('hex');
  }

  keyAt(family: string, period: number): Uint8Array {
    const kept = this.#kept.get(family) ?? this.#compute(family);
    this.#kept.set(family, kept);
    const start = Math.floor((lastPeriod - period) / keptEvery);
    let key = kept[start];
    if (key === undefined) throw new Error(`Period ${period} has no key`);
    for (let at = lastPeriod - start * keptEvery; at > period; at -= 1)
      key = hash('sha256', key, 'buffer');
    return key;
  }

  #compute(family: string): readonly Uint8Array[] {
    const purpose = `patch-repository tree family ${family}`;
    let key: Uint8Array = Buffer.from(hkdfSync('sha256', this.#secret, '', purpose, 32));
    const kept: Uint8Array[] = [];
    for (let at = lastPeriod; at >= 0; at -= 1) {
      if ((lastPeriod - at) % keptEvery === 0) kept.push(key);
      key = hash('sha256', key, 'buffer');
    }
    return kept;
  }
}
