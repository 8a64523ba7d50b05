/** Inventories of machines and compared versions, beside the feed mirror on machines that have them. */
import { existsSync, readFileSync } from 'node:fs';
import { describe } from 'vitest';
import { feedMirror } from './describe-with-mirror.ts';

const inventories = new URL('../inventories/', feedMirror);

/** Tests that read them. Without them they count as skipped; where the mirror must be there (CI=true), describeWithMirror fails. */
export const describeWithInventories = existsSync(inventories) ? describe : describe.skip;

/** `alma-8.9/rpm-qa.txt`, `version-cases.json`. */
export function inventoryFile(path: string): Buffer {
  return readFileSync(new URL(path, inventories));
}
