/** Gives a licensed client what it reads the published tree with: its address, the newest root, and the keys of its families. */
import { handedPeriod, noFamily } from '@patch/contract/tree/family-keys.ts';
import type { TreeGiver } from '../clients/tree-giver.ts';
import { readNewestRoot } from './publish-tree.ts';
import type { TreeFolder } from './tree-folder.ts';
import { FamilyKeys } from './tree-keys.ts';
import { servedAddress } from './tree-place.ts';

export interface TreeGiverParts {
  readonly folder: TreeFolder;
  /** Null: the service serves the tree. */
  readonly address: string | null;
  readonly secret: Uint8Array;
}

const dayMs = 24 * 3_600_000;
/** A client that has just sent a heartbeat waits for the next day's moment. */
const shortestMs = 60_000;

export function treeGiver({ folder, address, secret }: TreeGiverParts): TreeGiver {
  const keys = new FamilyKeys(secret);
  return {
    async accessFor({ id, families, ring }, now) {
      // The tree has each list as it is now, and a ring has it as it was.
      if (ring !== null) return null;
      const root = await readNewestRoot(folder);
      if (root === null) return null;
      const period = handedPeriod(now);
      const handed: Record<string, string> = {};
      for (const family of [...families, noFamily]) {
        handed[family] = Buffer.from(keys.keyAt(family, period)).toString('base64');
        // The first key of a family takes tens of milliseconds, in which others wait.
        await new Promise((settle) => setImmediate(settle));
      }
      return {
        address: address ?? servedAddress,
        root: Buffer.from(root.bytes).toString(),
        period,
        keys: handed,
        nextHeartbeat: nextMoment(id, now),
      };
    },
  };
}

/** Returns the client's next moment of the day: spread evenly over the ids, so that not all come at once. */
export function nextMoment(id: number, now: number): number {
  // The golden ratio spreads consecutive numbers evenly.
  const moment = Math.floor(((id * 0.618_033_988_749_895) % 1) * dayMs);
  const today = Math.floor(now / dayMs) * dayMs + moment;
  return today > now + shortestMs ? today : today + dayMs;
}
