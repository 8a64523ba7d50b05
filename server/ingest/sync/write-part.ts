/** Writes a part that was read to its end: in short transactions, so that no search waits long, each with its lines of the change log. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeConclusions } from '../../platform/database/conclusion-writer.ts';
import { writeRecords } from '../../platform/database/entry-writer.ts';
import { adoptFormerKeys } from '../../platform/database/former-keys.ts';
import { projectRecord, type RecordProjection } from '../../platform/database/project-record.ts';
import { writeUnfixed } from '../../platform/database/unfixed-vulnerability-store.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { type Comparison, compareWithStored } from './compare-stored.ts';
import { recordPartRead, recordPartWritten } from './feed-part-store.ts';
import { logChanges, logConclusions, type PartWriting, rowsABatch } from './part-writing.ts';
import type { PartReading } from './read-part.ts';
import { type ContentVerdict, reviewContent } from './review-content.ts';
import { missingRows, withdrawMissing } from './withdraw-missing.ts';

/** A batch ends with the first of the two: a transaction costs as much as some hundred rows, and all of it is in memory. */
const maxRows = 1_000;
const maxBytes = 8_000_000;

interface Batch {
  readonly list: ListDefinition;
  readonly records: RecordProjection[];
  bytes: number;
}

/** The documents count as read only once all of the part is written. */
export async function writePart(writing: PartWriting, reading: PartReading): Promise<void> {
  const { database, feed, part, contents, running } = writing;
  const { source } = running.run;
  await renameRows(writing, reading);
  const missing = contents.whole ? await missingRows(writing, reading) : [];
  const comparison = await compareWithStored(writing, reading);
  const content = await reviewContent(writing, reading, comparison);
  const isToWrite = (list: ListDefinition, key: string) =>
    comparison.get(list)?.toWrite.has(key) === true &&
    content.quarantined.get(list)?.has(key) !== true;
  passOver(writing, reading, comparison, content);
  let written: Promise<void> = Promise.resolve();
  try {
    for await (const { list, records } of projectedBatches(feed.fills, reading, isToWrite)) {
      await written;
      // The next batch is read and projected while the database writes this one.
      written = writeBatch(writing, reading, list, records);
      written.catch(() => undefined);
    }
  } finally {
    await written;
  }
  await concludeRecords(writing, reading);
  await writeUnfixed(database, { source, part: part.key }, reading.unfixed, running.signal);
  await content.settle();
  await recordPartWritten(database, source, part.key, feed.version);
  const isWithdrawn = await withdrawMissing(writing, reading, missing, content.hasLostContent);
  if (!isWithdrawn || content.isPending) return;
  await database.transaction((tx) =>
    recordPartRead(
      tx,
      source,
      part.key,
      {
        feedVersion: feed.version,
        documents: contents.documents,
        whole: contents.whole,
        remarks: reading.remarks.standing,
        remember: contents.remember,
      },
      Date.now(),
    ),
  );
}

async function* projectedBatches(
  lists: readonly ListDefinition[],
  { spool }: PartReading,
  isToWrite: (list: ListDefinition, key: string) => boolean,
): AsyncGenerator<Batch> {
  const batches = new Map<ListDefinition, Batch>();
  for await (const { list, entry, size } of spool.entries(lists, isToWrite)) {
    const batch = batches.get(list) ?? { list, records: [], bytes: 0 };
    batches.set(list, batch);
    batch.records.push(projectRecord(list, entry));
    batch.bytes += size;
    if (batch.records.length < maxRows && batch.bytes < maxBytes) continue;
    batches.delete(list);
    yield batch;
  }
  yield* batches.values();
}

/** After the part's own records: of both kinds a reader sees the same facts. */
async function concludeRecords(writing: PartWriting, { conclusions }: PartReading): Promise<void> {
  const { database, feed, running, changed } = writing;
  for (const list of feed.fills) {
    const ofList = conclusions.get(list.key) ?? [];
    for (let from = 0; from < ofList.length; from += rowsABatch) {
      running.signal.throwIfAborted();
      const batch = ofList.slice(from, from + rowsABatch);
      const { concluded, counted } = await database.transaction(async (tx) => {
        const written = await writeConclusions(tx, list, batch, Date.now());
        return { concluded: written, counted: await logConclusions(tx, writing, list, written) };
      });
      running.counts.changed += counted;
      if (concluded.length > 0) changed.add(list);
    }
  }
}

/** What is as it was, and what stays as it was, needs no writing. */
function passOver(
  { running }: PartWriting,
  { entries }: PartReading,
  comparison: Comparison,
  { quarantined }: ContentVerdict,
): void {
  const size = (sets: Iterable<ReadonlySet<string>>) =>
    [...sets].reduce((sum, set) => sum + set.size, 0);
  const unchanged =
    entries -
    size([...comparison.values()].map(({ toWrite }) => toWrite)) +
    size(quarantined.values());
  running.counts.unchanged += unchanged;
  running.advance(unchanged);
}

/** Before anything is compared with what is stored: all that follows finds the rows by their present keys. */
async function renameRows(
  { database, feed, running }: PartWriting,
  { met, rejectedKeys, renamed }: PartReading,
): Promise<void> {
  for (const list of feed.fills) {
    const entries = renamed.get(list.key) ?? [];
    const isClaimed = (key: string) =>
      met.get(list.key)?.has(key) === true || rejectedKeys.has(key);
    for (let from = 0; from < entries.length; from += rowsABatch) {
      running.signal.throwIfAborted();
      const batch = entries.slice(from, from + rowsABatch);
      await database.transaction((tx) => adoptFormerKeys(tx, list, batch, isClaimed));
    }
  }
}

async function writeBatch(
  writing: PartWriting,
  reading: PartReading,
  list: ListDefinition,
  batch: readonly RecordProjection[],
): Promise<void> {
  const { database, part, running, contents, changed } = writing;
  running.signal.throwIfAborted();
  const since = performance.now();
  try {
    const changes = await database.transaction(async (tx) => {
      const written = await writeRecords(tx, list, part.key, batch, Date.now());
      await logChanges(tx, writing, list, written);
      return written;
    });
    for (const { kind } of changes) running.counts[kind === 'changed' ? 'changed' : 'added']++;
    running.counts.unchanged += batch.length - changes.length;
    running.advance(batch.length);
    if (changes.length > 0) changed.add(list);
    running.decided('a batch was written', {
      part: part.key,
      list: list.key,
      records: batch.length,
      changes: changes.length,
      ms: msSince(since),
    });
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    const [record] = batch;
    if (batch.length === 1 && record !== undefined) {
      const reason = `The database cannot keep it: ${(error as Error).message}`;
      return reading.remarks.reject({
        rejected: record.entry.key,
        reason,
        url: contents.documents[0]?.url ?? '',
      });
    }
    // One of them is not as the checks believe; the others are kept.
    const half = batch.length >> 1;
    await writeBatch(writing, reading, list, batch.slice(0, half));
    await writeBatch(writing, reading, list, batch.slice(half));
  }
}

/** Data exceptions, broken constraints and exceeded limits are of the values; all else is of the database. */
function isRefusedValue(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(22|23|54)...$/.test(code);
}
