/** The context in which a part is written, and the change log of its run. */
import type { Feed, Part, PartManifest } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { WrittenChange } from '../../platform/database/entry-writer.ts';
import { toRunChange } from './change-record.ts';
import type { PartState } from './feed-part-store.ts';
import { addChanges, addFurtherChanges } from './run-record-store.ts';
import type { RunningRun } from './running-run.ts';

/** Rows that one transaction writes. */
export const rowsPerBatch = 1_000;

export interface PartWriting {
  readonly database: Database;
  readonly feed: Feed;
  readonly part: Part;
  readonly contents: PartManifest;
  readonly running: RunningRun;
  /** The last reading of the part; null when it was never read. */
  readonly last: PartState | null;
  /** Percent of the part's rows that may be withdrawn, and of a record's content that may be lost, without approval. */
  readonly shrinkageShare: number;
  /** Collects the lists whose rows have changed. */
  readonly changed: Set<ListDefinition>;
}

/** Returns true when a document of the last reading is missing that the vendor may still publish. Its records stay unchanged. */
export function isPartial(
  { documents, isComplete }: PartManifest,
  last: PartState | null,
): boolean {
  if (isComplete || last === null) return false;
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
    changes.map((change) => toRunChange(list, change)),
  );
}

/** Logs concluded changes. Returns the count of records that the run had not changed before. */
export const logConclusions = (
  tx: Queryable,
  { running }: PartWriting,
  list: ListDefinition,
  changes: readonly WrittenChange[],
): Promise<number> =>
  addFurtherChanges(
    tx,
    running.run.id,
    changes.map((change) => toRunChange(list, change)),
  );
