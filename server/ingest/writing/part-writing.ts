/** The context in which a part is written, and the change log of its run. */
import type {
  AnyFeed,
  AnyPart,
  Feed,
  Part,
  PartManifest,
} from '@patch/catalogue/definition/feed.ts';
import type { DetailTables, ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { RunChange } from '@patch/contract/sources/run-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { WrittenChange } from '../../platform/database/records/entry-writer.ts';
import { contentHash } from '../../platform/database/rows/content-hash.ts';
import { type PartState, recordPartRead } from '../parts/feed-part-store.ts';
import type { StandingRemarks } from '../parts/standing-remarks.ts';
import { addChanges, addFurtherChanges } from '../runs/run-record-store.ts';
import type { RunningRun } from '../runs/running-run.ts';

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

/** Yields the items in batches, each after a check that the run goes on. */
export function* batchesOf<Item>(
  items: readonly Item[],
  size: number,
  { signal }: Pick<RunningRun, 'signal'>,
): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) {
    signal.throwIfAborted();
    yield items.slice(from, from + size);
  }
}

/** Records that the part is read, after it was written completely. */
export async function recordReading(
  {
    database,
    feed,
    part,
    contents,
    running,
  }: Pick<PartWriting, 'database' | 'contents' | 'running'> & {
    readonly feed: Pick<AnyFeed, 'version'>;
    readonly part: Pick<AnyPart, 'key'>;
  },
  remarks: StandingRemarks,
): Promise<void> {
  const { documents, isComplete, remember } = contents;
  const read = { feedVersion: feed.version, documents, isComplete, remarks, remember };
  await database.transaction((tx) =>
    recordPartRead(tx, running.run.source, part.key, read, Date.now()),
  );
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

const maxShownLength = 500;

/** Converts a written change to its form in the change log, with the old and new values of different fields. */
export function toRunChange(list: ListDefinition, change: WrittenChange): Omit<RunChange, 'id'> {
  const { rowId, identity, kind, was, is } = change;
  const fields =
    was === undefined || is === undefined
      ? {}
      : {
          ...compareValues(was.row, is.row, {}),
          ...compareValues(was.detail, is.detail, list.detail.tables),
        };
  return { list: list.key, rowId, identity, kind, fields };
}

type Values = Readonly<Record<string, unknown>>;

function compareValues(was: Values, is: Values, tables: DetailTables): RunChange['fields'] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const differing = names.filter(
    (name) =>
      was[name] !== is[name] &&
      contentHash({ value: was[name] }, {}) !== contentHash({ value: is[name] }, {}),
  );
  return Object.fromEntries(
    differing.map((name) => [
      name,
      Object.hasOwn(tables, name)
        ? compareTables(was[name], is[name])
        : { was: truncateValue(was[name]), is: truncateValue(is[name]) },
    ]),
  );
}

/** Describes tables by their row counts, because an erratum of a kernel has thousands of packages. */
function compareTables(was: unknown, is: unknown): { was: string; is: string } {
  const before = countRows(was);
  const after = countRows(is);
  return {
    was: `${before} rows`,
    is: before === after ? `${after} rows, not the same` : `${after} rows`,
  };
}

const countRows = (table: unknown) => (Array.isArray(table) ? table.length : 0);

function truncateValue(value: unknown): unknown {
  return typeof value === 'string' && value.length > maxShownLength
    ? `${value.slice(0, maxShownLength).toWellFormed()}…`
    : (value ?? null);
}
