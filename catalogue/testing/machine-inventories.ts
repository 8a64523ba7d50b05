/** Locates real inventories of machines, and verified comparisons of versions. */
import { readFileSync } from 'node:fs';
import { describeWithShared, sharedFolder } from './shared-folder.ts';

const inventories = sharedFolder('inventories');

export const describeWithInventories = describeWithShared('inventories');

/** @param path such as `alma-8.9/rpm-qa.txt` or `version-cases.json`. */
export function inventoryFile(path: string): Buffer {
  return readFileSync(new URL(path, inventories));
}
