/** What writing a part works on, and how its changes are logged in the run. */
import type { Feed, Part, PartManifest } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { WrittenChange } from '../../platform/database/entry-writer.ts';
import { changeRecord } from './change-record.ts';
import type { PartRead } from './feed-part-store.ts';
import { addChanges, addFurtherChanges } from './run-record-store.ts';
import type { RunningRun } from './running-run.ts';

/** Rows of one transaction. */
export const rowsABatch = 1_000;

export interface PartWriting {
  readonly database: Database;
  readonly feed: Feed;
  readonly part: Part;
  readonly contents: PartManifest;
  readonly running: RunningRun;
  /** The last reading of the part; null when never. */
  readonly last: PartRead | null;
  /** Percent of the part's rows that may be withdrawn, and of a record's content that may be lost, without approval. */
  readonly shrinkageShare: number;
  /** Collects the lists whose rows have changed. */
  readonly changed: Set<ListDefinition>;
}

/** Whether something that was read last time is missing now, although the vendor may still publish it: its records stay unchanged. */
export function isPartial({ documents, whole }: PartManifest, last: PartRead | null): boolean {
  if (whole || last === null) return false;
  const now = new Set(documents.map(({ url }) => url));
  return [...last.documents.keys()].some((url) => !now.has(url));
}

export async function logChanges(
  tx: Queryable,
  { running }: PartWriting,
  list: ListDefinition,
  changes: readonly WrittenChange[],
): Promise<void> {
  await addChanges(
    tx,
    running.run.id,
    changes.map((change) => changeRecord(list, change)),
  );
}

/** Returns how many of the records the run had not changed before. */
export const logConclusions = (
  tx: Queryable,
  { running }: PartWriting,
  list: ListDefinition,
  changes: readonly WrittenChange[],
): Promise<number> =>
  addFurtherChanges(
    tx,
    running.run.id,
    changes.map((change) => changeRecord(list, change)),
  );
