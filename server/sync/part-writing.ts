/** What the writing of a part works on, and how its changes get into the run's log. */
import type { Contents, Feed, Part } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { WrittenChange } from '../database/entry-writer.ts';
import { changeRecord } from './change-record.ts';
import type { PartRead } from './feed-part-store.ts';
import { addChanges } from './run-record-store.ts';
import type { RunningRun } from './running-run.ts';

/** A batch holds the embedded database's one session: nobody shall wait for long. */
export const rowsABatch = 200;

export interface PartWriting {
  readonly database: Database;
  readonly feed: Feed;
  readonly part: Part;
  readonly contents: Contents;
  readonly running: RunningRun;
  /** How the part was read last; null when never. */
  readonly last: PartRead | null;
  /** Percent of the rows of the part that may be withdrawn, and of what a record holds that may be lost, without being asked. */
  readonly shrinkageShare: number;
  /** The lists of which rows have changed are added here. */
  readonly changed: Set<ListDefinition>;
}

/** Whether some of what was read last is not among what is read now, though the vendor may publish it still: what it says stands. */
export function isPartial({ documents, whole }: Contents, last: PartRead | null): boolean {
  if (whole || last === null) return false;
  const now = new Set(documents.map(({ url }) => url));
  return [...last.documents.keys()].some((url) => !now.has(url));
}

export async function logChanges(
  session: Queryable,
  { running }: PartWriting,
  list: ListDefinition,
  changes: readonly WrittenChange[],
): Promise<void> {
  await addChanges(
    session,
    running.run.id,
    changes.map((change) => changeRecord(list, change)),
  );
}
