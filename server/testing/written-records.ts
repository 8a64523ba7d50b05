/** Records of a vendor's list, written as a sync writes them. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { contentHash } from '../platform/database/content-hash.ts';
import type { Database } from '../platform/database/database.ts';
import { writeEntries } from '../platform/database/entry-writer.ts';

export interface RecordToWrite {
  readonly key: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** In one transaction. `now`: epoch milliseconds of the writing. */
export async function writeRecords(
  database: Database,
  list: ListDefinition,
  records: readonly RecordToWrite[],
  now = 1,
): Promise<void> {
  const entries = records.map(({ key, row, detail = {} }) => ({
    key,
    row: row as never,
    detail: detail as never,
    contentHash: contentHash(row as never, detail as never),
  }));
  await database.transaction((tx) => writeEntries(tx, list, 'part', entries, now));
}
