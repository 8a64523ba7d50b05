/** Which entries of a reading differ from what is stored: found by their content hashes, before any of them is read again from the spool. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isSameContent } from '../../platform/database/concluded-content.ts';
import { knownRows } from '../../platform/database/stored-record.ts';
import type { PartWriting } from './part-writing.ts';
import type { PartReading } from './read-part.ts';

/** Two short columns of each. */
const keysAQuery = 2000;

export interface ComparedList {
  /** Natural keys of what is new, changed, listed again or another part's so far. All other entries are as they were. */
  readonly toWrite: ReadonlySet<string>;
  /** Of those the ones that are listed with other content: row ids by natural key. */
  readonly changed: ReadonlyMap<string, number>;
  /** How many of the entries were listed before. */
  readonly listedBefore: number;
}

export type Comparison = ReadonlyMap<ListDefinition, ComparedList>;

export async function compareWithStored(
  { database, feed, part, running }: PartWriting,
  { met }: PartReading,
): Promise<Comparison> {
  const lists = new Map<ListDefinition, ComparedList>();
  for (const list of feed.fills) {
    const hashes = met.get(list.key);
    if (hashes === undefined) continue;
    const toWrite = new Set<string>();
    const changed = new Map<string, number>();
    let listedBefore = 0;
    const keys = [...hashes.keys()];
    for (let from = 0; from < keys.length; from += keysAQuery) {
      running.signal.throwIfAborted();
      const batch = keys.slice(from, from + keysAQuery);
      const known = await knownRows(database, list, batch);
      for (const key of batch) {
        const row = known.get(key);
        const isListed = row !== undefined && row.withdrawn_time === null;
        const isSame = row !== undefined && isSameContent(row.content_hash, hashes.get(key) ?? '');
        if (isListed) listedBefore += 1;
        if (isListed && !isSame) changed.set(key, row.id);
        if (!isListed || !isSame || row.part !== part.key) toWrite.add(key);
      }
    }
    lists.set(list, { toWrite, changed, listedBefore });
  }
  return lists;
}
