/** Writes a part after it was read completely, in short transactions that include their change log, so that no search waits long. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeConclusions } from '../../platform/database/records/conclusion-writer.ts';
import { writeRecords } from '../../platform/database/records/entry-writer.ts';
import { adoptFormerKeys } from '../../platform/database/records/former-keys.ts';
import { writeStatuses } from '../../platform/database/records/package-status-store.ts';
import {
  projectRecord,
  type RecordProjection,
} from '../../platform/database/records/project-record.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { recordPartWritten } from '../parts/feed-part-store.ts';
import type { PartReading } from '../reading/read-part.ts';
import { type Comparison, compareWithStored } from './compare-stored.ts';
import {
  batchesOf,
  logChanges,
  logConclusions,
  type PartWriting,
  recordReading,
  rowsPerBatch,
} from './part-writing.ts';
import { type ContentVerdict, reviewContent } from './review-content.ts';
import { findMissingRows, withdrawMissing } from './withdraw-missing.ts';

/** Limits of a batch, which is in memory. A transaction costs as much as some hundred rows. */
const maxRows = 1_000;
const maxBytes = 8_000_000;

interface Batch {
  readonly list: ListDefinition;
  readonly records: RecordProjection[];
  bytes: number;
}

/** Writes a part. Its documents count as read once the complete part is written. */
export async function writePart(writing: PartWriting, reading: PartReading): Promise<void> {
  const { database, feed, part, contents, running } = writing;
  const { source } = running.run;
  await replaceFormerKeys(writing, reading);
  const missing = contents.isComplete ? await findMissingRows(writing, reading) : [];
  const comparison = await compareWithStored(writing, reading);
  const content = await reviewContent(writing, reading, comparison);
  const isToWrite = (list: ListDefinition, key: string) =>
    comparison.get(list)?.keysToWrite.has(key) === true &&
    content.quarantined.get(list)?.has(key) !== true;
  countUnchanged(writing, reading, comparison, content);
  let written: Promise<void> = Promise.resolve();
  try {
    for await (const { list, records } of projectedBatches(feed.fills, reading, isToWrite)) {
      await written;
      // Reads and projects the next batch while the database writes this one.
      written = writeBatch(writing, reading, list, records);
      written.catch(() => undefined);
    }
  } finally {
    await written;
  }
  await writeAllConclusions(writing, reading);
  await writeStatuses(database, { source, part: part.key }, reading.statuses, running.signal);
  await content.settle();
  await recordPartWritten(database, source, part.key, feed.version);
  const isWithdrawn = await withdrawMissing(writing, reading, missing, content.hasLostContent);
  if (isWithdrawn && !content.isPending) await recordReading(writing, reading.remarks.standing);
}

async function* projectedBatches(
  lists: readonly ListDefinition[],
  { spool }: PartReading,
  isToWrite: (list: ListDefinition, key: string) => boolean,
): AsyncGenerator<Batch> {
  const batches = new Map<ListDefinition, Batch>();
  for await (const { list, entry, size, detailText } of spool.entries(lists, isToWrite)) {
    const batch = batches.get(list) ?? { list, records: [], bytes: 0 };
    batches.set(list, batch);
    batch.records.push(projectRecord(list, entry, detailText));
    batch.bytes += size;
    if (batch.records.length < maxRows && batch.bytes < maxBytes) continue;
    batches.delete(list);
    yield batch;
  }
  yield* batches.values();
}

/** Writes conclusions after the records of the part, so that both are based on the same facts. */
async function writeAllConclusions(
  writing: PartWriting,
  { conclusions }: PartReading,
): Promise<void> {
  const { database, feed, running, changed } = writing;
  for (const list of feed.fills) {
    const listConclusions = conclusions.get(list.key) ?? [];
    for (const batch of batchesOf(listConclusions, rowsPerBatch, running)) {
      const { concluded, counted } = await database.transaction(async (tx) => {
        const written = await writeConclusions(tx, list, batch, Date.now());
        return { concluded: written, counted: await logConclusions(tx, writing, list, written) };
      });
      running.counts.changed += counted;
      if (concluded.length > 0) changed.add(list);
    }
  }
}

/** Counts unchanged and quarantined entries, which are not written. */
function countUnchanged(
  { running }: PartWriting,
  { entries }: PartReading,
  comparison: Comparison,
  { quarantined }: ContentVerdict,
): void {
  const size = (sets: Iterable<ReadonlySet<string>>) =>
    [...sets].reduce((sum, set) => sum + set.size, 0);
  const unchanged =
    entries -
    size([...comparison.values()].map(({ keysToWrite }) => keysToWrite)) +
    size(quarantined.values());
  running.counts.unchanged += unchanged;
  running.advance(unchanged);
}

/** Replaces former keys of rows before they are compared, so that later steps find them by their current keys. */
async function replaceFormerKeys(
  { database, feed, running }: PartWriting,
  { hashesByList, rejectedKeys, renamed }: PartReading,
): Promise<void> {
  for (const list of feed.fills) {
    const entries = renamed.get(list.key) ?? [];
    const isClaimed = (key: string) =>
      hashesByList.get(list.key)?.has(key) === true || rejectedKeys.has(key);
    for (const batch of batchesOf(entries, rowsPerBatch, running))
      await database.transaction((tx) => adoptFormerKeys(tx, list, batch, isClaimed));
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
    running.logDecision('a batch was written', {
      part: part.key,
      list: list.key,
      records: batch.length,
      changes: changes.length,
      ms: msSince(since),
    });
  } catch (error) {
    if (!isInvalidValue(error)) throw error;
    const [record] = batch;
    if (batch.length === 1 && record !== undefined) {
      const reason = `The database cannot store it: ${(error as Error).message}`;
      return reading.remarks.reject({
        rejected: record.entry.key,
        reason,
        url: contents.documents[0]?.url ?? '',
      });
    }
    // Divides the batch to find the invalid record and write the others.
    const half = batch.length >> 1;
    await writeBatch(writing, reading, list, batch.slice(0, half));
    await writeBatch(writing, reading, list, batch.slice(half));
  }
}

/** Returns true for errors that values cause: data exceptions, constraint violations and exceeded limits. */
function isInvalidValue(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(22|23|54)...$/.test(code);
}
