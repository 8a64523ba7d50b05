/** Compares the entries of a reading with the stored rows by content hashes, before entries are read again from the spool. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isSameContent } from '../../platform/database/records/concluded-content.ts';
import { readKnownRows } from '../../platform/database/records/stored-record.ts';
import type { PartReading } from '../reading/read-part.ts';
import { batchesOf, type PartWriting } from './part-writing.ts';

/** Keys of one query, which reads two short columns. */
const keysPerQuery = 2000;

export interface ComparedList {
  /** Natural keys of entries that are new, changed, listed again, or taken over from another part. All others are unchanged. */
  readonly keysToWrite: ReadonlySet<string>;
  /** Row ids of the listed entries with other content, by natural key. */
  readonly changed: ReadonlyMap<string, number>;
  /** Count of entries that were listed before. */
  readonly listedBefore: number;
}

export type Comparison = ReadonlyMap<ListDefinition, ComparedList>;

export async function compareWithStored(
  { database, feed, part, running }: PartWriting,
  { hashesByList }: PartReading,
): Promise<Comparison> {
  const lists = new Map<ListDefinition, ComparedList>();
  for (const list of feed.fills) {
    const hashes = hashesByList.get(list.key);
    if (hashes === undefined) continue;
    const keysToWrite = new Set<string>();
    const changed = new Map<string, number>();
    let listedBefore = 0;
    const keys = [...hashes.keys()];
    for (const batch of batchesOf(keys, keysPerQuery, running)) {
      const known = await readKnownRows(database, list, batch);
      for (const key of batch) {
        const row = known.get(key);
        const isListed = row !== undefined && row.withdrawn_time === null;
        const isSame = row !== undefined && isSameContent(row.content_hash, hashes.get(key) ?? '');
        if (isListed) listedBefore += 1;
        if (isListed && !isSame) changed.set(key, row.id);
        if (!isListed || !isSame || row.part !== part.key) keysToWrite.add(key);
      }
    }
    lists.set(list, { keysToWrite, changed, listedBefore });
  }
  return lists;
}
