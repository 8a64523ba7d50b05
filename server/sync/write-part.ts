/** Writes a part that was read to its end: in short transactions, so that no search waits long, each with its lines of the change log. */
import type { Contents, Feed, Part } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Database, Queryable } from '../database/database.ts';
import { type EntryToWrite, keysOfPart, type WrittenChange, withdraw, writeEntries } from '../database/entry-writer.ts';
import { changeRecord } from './change-record.ts';
import { recordPartRead } from './feed-part-store.ts';
import { count } from './fetch-failed.ts';
import type { PartReading } from './read-part.ts';
import { addChanges } from './run-record-store.ts';
import type { RunningRun } from './running-run.ts';

/** A batch holds the embedded database's one session: the first of the two ends it, so that nobody waits for long. */
const rowsABatch = 200;
const charactersABatch = 200_000;
/** Fewer rows than this may all go without suspicion. */
const fewRows = 20;

export interface PartWriting {
  readonly database: Database;
  readonly feed: Feed;
  readonly part: Part;
  readonly contents: Contents;
  readonly running: RunningRun;
  /** The lists of which rows have changed are added here. */
  readonly changed: Set<ListDefinition>;
}

/** The documents count as read only once all of the part is written. */
export async function writePart(writing: PartWriting, reading: PartReading): Promise<void> {
  const { database, feed, part, contents, running, changed } = writing;
  const batches = new Map<ListDefinition, { entries: EntryToWrite[]; size: number }>();

  for await (const { list, entry, size } of reading.spool.entries(feed.fills)) {
    const batch = batches.get(list) ?? { entries: [], size: 0 };
    batches.set(list, batch);
    batch.entries.push(entry);
    batch.size += size;
    if (batch.entries.length < rowsABatch && batch.size < charactersABatch) continue;
    batches.delete(list);
    await writeBatch(writing, list, batch.entries);
  }
  for (const [list, { entries }] of batches) await writeBatch(writing, list, entries);

  const gone = contents.whole ? await goneRows(writing, reading) : [];
  if (gone === 'suspicious') return;
  for (const { list, rowIds } of gone) {
    changed.add(list);
    for (let from = 0; from < rowIds.length; from += rowsABatch) {
      running.signal.throwIfAborted();
      await database.transaction(async (session) => {
        const changes = await withdraw(session, list, rowIds.slice(from, from + rowsABatch), Date.now());
        await log(session, writing, list, changes);
        running.counts.withdrawn += changes.length;
      });
    }
  }
  await database.transaction((session) =>
    recordPartRead(
      session,
      running.run.source,
      part.key,
      { feedVersion: feed.version, documents: contents.documents, whole: contents.whole },
      Date.now(),
    ),
  );
}

async function writeBatch(writing: PartWriting, list: ListDefinition, batch: readonly EntryToWrite[]): Promise<void> {
  const { database, part, running, contents, changed } = writing;
  running.signal.throwIfAborted();
  try {
    const changes = await database.transaction(async (session) => {
      const written = await writeEntries(session, list, part.key, batch, Date.now());
      await log(session, writing, list, written);
      return written;
    });
    for (const { kind } of changes) running.counts[kind === 'changed' ? 'changed' : 'added']++;
    running.counts.unchanged += batch.length - changes.length;
    running.advance(batch.length);
    if (changes.length > 0) changed.add(list);
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    const [entry] = batch;
    if (batch.length === 1 && entry !== undefined) {
      const reason = `The database cannot keep it: ${(error as Error).message}`;
      return running.reject({ rejected: entry.key, reason, url: contents.documents[0]?.url ?? '' });
    }
    // One of them is not as the checks believe; the others are kept.
    const half = batch.length >> 1;
    await writeBatch(writing, list, batch.slice(0, half));
    await writeBatch(writing, list, batch.slice(half));
  }
}

/** Data exceptions, broken constraints and exceeded limits are of the values; all else is of the database. */
function isRefusedValue(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(22|23|54)...$/.test(code);
}

/** The rows of the part that its vendor lists no more; 'suspicious' when most are missing, which is a broken document more often than not. */
async function goneRows({ database, feed, part, running }: PartWriting, { met, keptOut }: PartReading) {
  const gone: { readonly list: ListDefinition; readonly rowIds: readonly number[] }[] = [];
  let suspicious = false;
  for (const list of feed.fills) {
    const known = await keysOfPart(database, list, part.key);
    const listed = met.get(list.key);
    const missing = [...known].filter(([key]) => listed?.has(key) !== true && !keptOut.has(key)).map(([, id]) => id);
    if (known.size >= fewRows && missing.length * 2 > known.size) {
      suspicious = true;
      running.warn(
        `${part.label}: the vendor lists only ${count(known.size - missing.length)} of the ${count(known.size)} records known before (${list.label}). ` +
          'That looks like a broken publication, so none was withdrawn; the next sync looks again.',
      );
    } else if (missing.length > 0) {
      gone.push({ list, rowIds: missing });
    }
  }
  return suspicious ? 'suspicious' : gone;
}

async function log(session: Queryable, { running }: PartWriting, list: ListDefinition, changes: readonly WrittenChange[]): Promise<void> {
  await addChanges(
    session,
    running.run.id,
    changes.map((change) => changeRecord(list, change)),
  );
}
