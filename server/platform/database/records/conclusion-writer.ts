/** Writes conclusions of a part about records that another part of its feed lists. */
import { isDeepStrictEqual } from 'node:util';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { arrayTexts } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import {
  concludedHash,
  conclusionHash,
  ownHash,
  pickValues,
  withConclusion,
} from './concluded-content.ts';
import { type WrittenChange, writeEntries } from './entry-writer.ts';
import type { EntryToWrite } from './project-record.ts';
import { readKnownRows, readRecordContents } from './stored-record.ts';

export interface ConclusionToWrite {
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Hash of the values. */
  readonly hash: string;
}

/** Runs inside the caller's transaction. Skips records that are not listed. */
export async function writeConclusions(
  tx: Queryable,
  list: ListDefinition,
  conclusions: readonly ConclusionToWrite[],
  now: number,
): Promise<readonly WrittenChange[]> {
  const known = await readKnownRows(
    tx,
    list,
    conclusions.map(({ key }) => key),
  );
  const pending = conclusions.flatMap((conclusion) => {
    const row = known.get(conclusion.key);
    const isPending =
      row?.withdrawn_time === null && conclusionHash(row.content_hash) !== conclusion.hash;
    return isPending ? [{ row, conclusion }] : [];
  });
  if (pending.length === 0) return [];
  const contents = await readRecordContents(
    tx,
    list,
    pending.map(({ row }) => row.id),
  );
  const byPart = new Map<string, EntryToWrite[]>();
  const confirmed: { readonly id: number; readonly contentHash: string }[] = [];
  for (const { row, conclusion } of pending) {
    const content = contents.get(row.id);
    if (content === undefined) continue;
    const contentHash = concludedHash(ownHash(row.content_hash), conclusion.hash);
    const before = pickValues(content, Object.keys(conclusion.values));
    if (isDeepStrictEqual(before, conclusion.values)) {
      confirmed.push({ id: row.id, contentHash });
      continue;
    }
    const entries = byPart.get(row.part) ?? [];
    byPart.set(row.part, entries);
    entries.push({
      key: row.natural_key,
      ...withConclusion(list, content, conclusion.values),
      contentHash,
    });
  }
  if (confirmed.length > 0)
    await tx.query(
      `update ${list.key} as stored set content_hash = confirmed.hash
       from unnest($1::bigint[], $2::text[]) as confirmed(id, hash) where stored.id = confirmed.id`,
      arrayTexts(confirmed, 'id', 'contentHash'),
    );
  const changes: WrittenChange[] = [];
  for (const [part, entries] of byPart)
    changes.push(...(await writeEntries(tx, list, part, entries, now)));
  return changes;
}
