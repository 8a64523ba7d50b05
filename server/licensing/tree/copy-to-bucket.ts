/** Copies a published tree to a bucket: segments, indexes and roots first, then the head that leads to them. */
import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { headPath } from '@patch/contract/tree/tree-head.ts';
import { treeFilePath } from '@patch/contract/tree/tree-index.ts';
import type { BucketClient, ObjectToPut } from './bucket-client.ts';
import { type BucketMemory, readBucketMemory, writeBucketMemory } from './bucket-memory.ts';
import type { TreeFolder } from './tree-folder.ts';

export interface CopyContext {
  readonly folder: TreeFolder;
  readonly bucket: BucketClient;
  readonly clock: () => number;
}

export interface BucketCopy {
  readonly written: number;
  readonly removed: number;
  /** False: it took long, and the next call continues. */
  readonly isComplete: boolean;
}

/** Publishing in the folder waits no longer for a copy, except for its last file. */
const copyMs = 10 * 60_000;
const retiredMs = 2 * 24 * 3_600_000;
const immutable = 'public, max-age=31536000, immutable';
/** Readers may see a head so late. */
const headCache = 'public, max-age=60';

const rootName = /^\d+\.jsonl$/;

/** @throws BucketFailure when the bucket cannot be reached or refuses; the next call repairs what is missing. */
export async function copyToBucket(context: CopyContext): Promise<BucketCopy> {
  const { folder, bucket, clock } = context;
  const head = await folder.readPublished(headPath);
  if (head === null) return { written: 0, removed: 0, isComplete: true };
  const headHash = hash('sha256', head);
  const paths = await pathsOf(folder);
  const known = await learnBucket(context, paths);
  const there = new Set(known.paths);
  const missing = paths.filter((path) => !there.has(path));
  const mayRemove = clock() - known.since > retiredMs;
  const removable = mayRemove ? extras(known.paths, paths) : [];
  const isHeadThere = known.head === headHash;
  if (isHeadThere && missing.length === 0 && removable.length === 0)
    return finish(context, known, { written: 0, removed: 0 });

  await writeBucketMemory(folder, { ...known, isComplete: false });
  const until = clock() + copyMs;
  let written = 0;
  for (const path of missing) {
    if (clock() > until) return { written, removed: 0, isComplete: false };
    await bucket.put(path, await fileToPut(folder, path));
    written += 1;
  }
  if (!isHeadThere) {
    await bucket.put(headPath, bytesToPut(head, headCache));
    written += 1;
  }
  for (const path of removable) await bucket.remove(path);
  const left = mayRemove ? [] : extras(known.paths, paths);
  const next = { ...known, head: headHash, paths: [...paths, ...left] };
  return finish(context, next, { written, removed: removable.length });
}

async function finish(
  { folder }: CopyContext,
  memory: BucketMemory,
  done: Pick<BucketCopy, 'written' | 'removed'>,
): Promise<BucketCopy> {
  if (!memory.isComplete || done.written + done.removed > 0)
    await writeBucketMemory(folder, { ...memory, isComplete: true });
  return { ...done, isComplete: true };
}

function extras(inBucket: readonly string[], inFolder: readonly string[]): readonly string[] {
  const kept = new Set(inFolder);
  return inBucket.filter((path) => !kept.has(path));
}

async function pathsOf(folder: TreeFolder): Promise<readonly string[]> {
  const roots = (await folder.roots()).filter((name) => rootName.test(name));
  const files = await folder.files();
  return [...roots.map((name) => `root/${name}`), ...files];
}

/** Returns what the bucket has: as remembered while it has the remembered head, otherwise as it lists. */
async function learnBucket(
  context: CopyContext,
  inFolder: readonly string[],
): Promise<BucketMemory> {
  const { folder, bucket, clock } = context;
  const stored = await readBucketMemory(folder);
  const memory = stored?.address === bucket.address ? stored : null;
  const headThere = await bucket.get(headPath);
  const head = headThere === null ? null : hash('sha256', headThere);
  const isOurs = memory !== null && (!memory.isComplete || memory.head === head);
  if (isOurs && memory.isComplete) return memory;
  return {
    address: bucket.address,
    // Another publisher's files, or those of a lost data folder, stay for the readers of their last head.
    since: isOurs ? memory.since : clock(),
    isComplete: false,
    head,
    paths: await listPaths(context, inFolder),
  };
}

/** Returns the listed paths, without those of another length than in the folder. */
async function listPaths(
  { folder, bucket }: CopyContext,
  inFolder: readonly string[],
): Promise<readonly string[]> {
  const local = new Set(inFolder);
  const found: string[] = [];
  for await (const page of bucket.list())
    for (const { key, bytes } of page) {
      // Roots have no hash in their names, so that they are written again.
      // Other objects in the bucket are nobody's business.
      if (!treeFilePath.test(key)) continue;
      if (!local.has(key) || (await folder.bytesOf(key)) === bytes) found.push(key);
    }
  return found;
}

async function fileToPut(folder: TreeFolder, path: string): Promise<ObjectToPut> {
  const sha256 = treeFilePath.exec(path)?.[1];
  if (sha256 === undefined)
    return bytesToPut((await folder.readPublished(path)) ?? Buffer.alloc(0), immutable);
  return {
    bytes: await folder.bytesOf(path),
    sha256,
    contentType: path.endsWith('.index') ? 'application/jsonl' : 'application/octet-stream',
    cacheControl: immutable,
    open: async () => (await open(join(folder.published, path))).createReadStream(),
  };
}

const bytesToPut = (bytes: Buffer, cacheControl: string): ObjectToPut => ({
  bytes: bytes.length,
  sha256: hash('sha256', bytes),
  contentType: 'application/jsonl',
  cacheControl,
  open: () => Promise.resolve(Readable.from([bytes])),
});
