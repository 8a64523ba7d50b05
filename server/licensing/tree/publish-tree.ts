/** Publishes the lists of an installation: segments first, then the head that leads to them. */
import { type HeadList, headPath, parseHead, writeHead } from '@patch/contract/tree/tree-head.ts';
import { TreeRefusal } from '@patch/contract/tree/tree-refusal.ts';
import {
  readNextRoot,
  readRoot,
  rootPath,
  type SignedRoot,
  type TreeRoot,
} from '@patch/contract/tree/tree-root.ts';
import { headLine, type ListState, livePaths } from './list-state.ts';
import { publishList, type TreeContext, type WithListSource } from './publish-list.ts';
import type { TreeFolder } from './tree-folder.ts';
import { findSigner } from './tree-keys.ts';

/** Nothing can be published; the message says what to do. */
export class TreeBlocked extends Error {
  override readonly name = 'TreeBlocked';
}

export interface PublishContext extends TreeContext {
  /** The service's key. */
  readonly secret: Uint8Array;
}

export interface Published {
  /** Lists that changed. */
  readonly lists: readonly string[];
  readonly isHeadNew: boolean;
}

const dayMs = 24 * 3_600_000;
/** A reader that gets nothing newer for so long knows that something is withheld from it. */
export const timestampMs = 7 * dayMs;
/** A copy on a medium may be so old. */
export const catalogueMs = 35 * dayMs;
const retiredMs = 2 * dayMs;

/**
 * @param lists - How to read each list, in the order in which the head has them.
 * @throws TreeBlocked when the root is missing, or does not name the service's keys and epoch.
 */
export async function publishTree(
  context: PublishContext,
  lists: ReadonlyMap<string, WithListSource>,
): Promise<Published> {
  const root = await requireRoot(context);
  const lines: HeadList[] = [];
  const kept: string[] = [];
  // Nothing else is kept of a list: its parts take 24 bytes a record.
  for (const [list, withSource] of lists) {
    const state = await publishList(context, list, withSource);
    if (state === null) continue;
    lines.push(headLine(state));
    kept.push(...keptPaths(state, context.clock() - retiredMs));
  }
  const published = await publishHead(context, root, lines);
  await sweep(context, new Set(kept));
  return published;
}

/** Returns the newest root of the folder, or null. */
export async function readNewestRoot(folder: TreeFolder): Promise<SignedRoot | null> {
  const first = await folder.readPublished(rootPath(1));
  if (first === null) return null;
  for (let newest = readRoot(first); ; ) {
    const next = await folder.readPublished(rootPath(newest.root.version + 1));
    if (next === null) return newest;
    newest = readNextRoot(next, newest);
  }
}

async function requireRoot({ folder, epoch, secret, clock }: PublishContext): Promise<TreeRoot> {
  const newest = await readNewestRoot(folder);
  if (newest === null)
    throw new TreeBlocked(
      'The tree has no root yet. Copy the folder root of the tree from where it was before, or make the first one: npm run catalogue-root -- create --keys FOLDER.',
    );
  const { root } = newest;
  const next = 'Make the next root: npm run catalogue-root -- renew --keys FOLDER.';
  if (root.epoch !== epoch)
    throw new TreeBlocked(
      `Root ${root.version} was made before the database was restored, or for another service, and clients wait for a root that says so. ${next}`,
    );
  if (root.expires <= clock()) throw new TreeBlocked(`Root ${root.version} has expired. ${next}`);
  for (const role of ['catalogue', 'timestamp'] as const)
    if (findSigner(secret, role, root) === null)
      throw new TreeBlocked(
        `Root ${root.version} does not name this service's ${role} key: the secret key is another one. ${next}`,
      );
  return root;
}

/** Writes a head if lists have changed or the last one is to be signed again. */
async function publishHead(
  { folder, secret, epoch, clock }: PublishContext,
  root: TreeRoot,
  lists: readonly HeadList[],
): Promise<Published> {
  const now = clock();
  const last = await readLastHead(folder);
  const former = new Set(last?.lists.map((line) => JSON.stringify(line)));
  const changed = lists.filter((line) => !former.has(JSON.stringify(line)));
  const signers = {
    catalogue: requireSigner(secret, 'catalogue', root),
    timestamp: requireSigner(secret, 'timestamp', root),
  };
  const isSame =
    last?.catalogue.epoch === epoch &&
    last.catalogue.root === root.version &&
    last.catalogue.expires > now + catalogueMs / 2 &&
    changed.length === 0 &&
    last.lists.length === lists.length;
  if (isSame && last.timestamp.expires > now + timestampMs - dayMs)
    return { lists: [], isHeadNew: false };
  const catalogue = isSame
    ? last.catalogue
    : {
        version: nextVersion(last?.catalogue.version, now),
        epoch,
        root: root.version,
        time: now,
        expires: now + catalogueMs,
      };
  const version = nextVersion(last?.timestamp.version, now);
  const timestamp = { version, expires: now + timestampMs };
  await folder.writePublished(headPath, writeHead({ timestamp, catalogue, lists, signers }));
  return { lists: changed.map(({ list }) => list), isHeadNew: true };
}

/** Seconds, so that readers accept a head also when the one before was lost. */
const nextVersion = (last: number | undefined, now: number): number =>
  Math.max((last ?? 0) + 1, Math.floor(now / 1000));

function requireSigner(secret: Uint8Array, role: 'catalogue' | 'timestamp', root: TreeRoot) {
  const signer = findSigner(secret, role, root);
  if (signer === null) throw new TreeBlocked(`The service has no ${role} key of this root.`);
  return signer;
}

async function readLastHead(folder: TreeFolder) {
  const bytes = await folder.readPublished(headPath);
  if (bytes === null) return null;
  try {
    return parseHead(bytes);
  } catch (error) {
    if (error instanceof TreeRefusal) return null;
    throw error;
  }
}

/** Returns what a head leads to, or has led to since a time. */
const keptPaths = (state: ListState, since: number): readonly string[] => [
  ...livePaths(state),
  ...state.retired.filter(({ time }) => time > since).map(({ path }) => path),
];

/** Removes what no head has led to for two days. */
async function sweep({ folder, clock }: PublishContext, kept: ReadonlySet<string>): Promise<void> {
  for (const path of await folder.filesBefore(clock() - retiredMs))
    if (!kept.has(path)) await folder.remove(path);
}
