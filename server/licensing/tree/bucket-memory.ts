/** Remembers what a bucket has, so that it is listed only when that is in doubt. */
import { z } from 'zod';
import type { TreeFolder } from './tree-folder.ts';

const BucketMemory = z.object({
  /** The bucket and the prefix. */
  address: z.string(),
  /** Nobody else has written the bucket since then. */
  since: z.number(),
  /** False while a copy is made: the bucket may have more than this. */
  isComplete: z.boolean(),
  /** SHA-256 of the bucket's head; null without one. */
  head: z.string().nullable(),
  paths: z.array(z.string()).readonly(),
});
export type BucketMemory = Readonly<z.infer<typeof BucketMemory>>;

const memoryName = 'bucket.json';

/** Returns null when it is lost or damaged. */
export async function readBucketMemory(folder: TreeFolder): Promise<BucketMemory | null> {
  const bytes = await folder.readOwn(memoryName);
  if (bytes === null) return null;
  try {
    return BucketMemory.parse(JSON.parse(bytes.toString()));
  } catch {
    return null;
  }
}

export const writeBucketMemory = (folder: TreeFolder, memory: BucketMemory): Promise<void> =>
  folder.writeOwn(memoryName, [Buffer.from(JSON.stringify(memory))]);
