/** The root of a published tree: who may sign what. */
import { z } from 'zod';
import { TreeRefusal } from './tree-refusal.ts';
import {
  isValidFor,
  keyId,
  PublicKeys,
  parseTreeLine,
  RoleKeys,
  signatureLine,
  splitLines,
  type TreeSigner,
} from './tree-signatures.ts';

export const treeFormat = 1;
export const largestRoot = 65_536;
export const rootPath = (version: number) => `root/${version}.jsonl`;

const count = z.number().int().min(0);
export const treeName = z.string().regex(/^[\w-]{1,64}$/);

export const TreeRoot = z.object({
  role: z.literal('root'),
  format: z.literal(treeFormat),
  version: count.min(1),
  expires: count,
  epoch: treeName,
  keys: PublicKeys,
  root: RoleKeys,
  catalogue: RoleKeys,
  timestamp: RoleKeys,
});
export type TreeRoot = z.infer<typeof TreeRoot>;

/** A root as it is stored, and what it says. */
export interface SignedRoot {
  readonly root: TreeRoot;
  readonly bytes: Uint8Array;
}

/** @param signers - Of the role root: of this root, and of the one before. */
export function writeRoot(root: TreeRoot, signers: readonly TreeSigner[]): Buffer {
  const line = Buffer.from(`${JSON.stringify(root)}\n`);
  return Buffer.concat([line, Buffer.from(signatureLine(line, signers))]);
}

/**
 * Returns a root that is valid for itself.
 * @throws TreeRefusal `malformed`, `bad_root`.
 */
export function readRoot(bytes: Uint8Array): SignedRoot {
  const [line, signatures, more] = splitLines(bytes, 'the root');
  if (line === undefined || signatures === undefined || more !== undefined)
    throw new TreeRefusal('malformed', 'The tree is malformed: a root has two lines.');
  const root = parseTreeLine(line, TreeRoot, 'the root');
  for (const [id, key] of Object.entries(root.keys))
    if (keyId(key) !== id) throw badRoot(root, `${id} is not the id of its key`);
  for (const role of ['root', 'catalogue', 'timestamp'] as const) {
    const { keys, threshold } = root[role];
    if (new Set(keys).size < threshold) throw badRoot(root, `${role} has too few keys`);
    const unknown = keys.find((id) => root.keys[id] === undefined);
    if (unknown !== undefined) throw badRoot(root, `it has no key ${unknown}`);
  }
  if (!isValidFor(Buffer.from(`${line}\n`), signatures, root.root, root.keys))
    throw badRoot(root, 'too few of its own keys have signed it');
  return { root, bytes };
}

/**
 * Returns the next root, valid for the one before.
 * @throws TreeRefusal `malformed`, `bad_root`.
 */
export function readNextRoot(bytes: Uint8Array, { root: before }: SignedRoot): SignedRoot {
  const next = readRoot(bytes);
  const { root } = next;
  if (root.version !== before.version + 1)
    throw badRoot(root, `version ${before.version + 1} was expected`);
  const [line = '', signatures = ''] = splitLines(bytes, 'the root');
  if (!isValidFor(Buffer.from(`${line}\n`), signatures, before.root, before.keys))
    throw badRoot(root, `too few keys of root ${before.version} have signed it`);
  return next;
}

/** Returns true if heads of the one root say nothing about the age of those of the other. */
export function startsAnew({ root: before }: SignedRoot, { root: after }: SignedRoot): boolean {
  const keysOf = ({ keys }: RoleKeys) => keys.toSorted().join();
  return (
    before.epoch !== after.epoch ||
    keysOf(before.catalogue) !== keysOf(after.catalogue) ||
    keysOf(before.timestamp) !== keysOf(after.timestamp)
  );
}

const badRoot = ({ version }: TreeRoot, why: string) =>
  new TreeRefusal('bad_root', `Root ${version} of the tree is not valid: ${why}.`);
