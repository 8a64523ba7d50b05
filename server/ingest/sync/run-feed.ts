/** Syncs one source: fetches each part, compares it with the last reading, reads it completely and writes it. Feeds contain no such policies. */

import { FetchFailed, NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type { FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import {
  type AnyFeed,
  type AnyPart,
  type FeedPart,
  isRiskFeed,
  type Part,
  type PartManifest,
  type RiskItem,
} from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { BrokenDocument } from '@patch/catalogue/parsers/create-document.ts';
import { isPublicationFailure } from '@patch/catalogue/parsers/publication-failure.ts';
import type { PartFailure } from '@patch/contract/sources/run-message.ts';
import { standardShrinkageShare } from '@patch/contract/sources/source-settings-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { isDatabaseUnavailable, isDiskFull } from '../../platform/database/database-unavailable.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import type { Fetcher } from '../fetching/fetcher.ts';
import { markUnread, type PartState, readPartState } from '../parts/feed-part-store.ts';
import { isQuarantined } from '../parts/quarantine-store.ts';
import {
  noRemarks,
  type PartialReading,
  reportManifestRemarks,
  reportStoredRemarks,
} from '../parts/standing-remarks.ts';
import { createFeedPublication, type FeedPublication } from '../reading/feed-publication.ts';
import { type PartReading, readPart } from '../reading/read-part.ts';
import { partParams } from '../runs/part-params.ts';
import { createRunEnd, type PartOutcome } from '../runs/run-end.ts';
import type { RunEnd } from '../runs/run-store.ts';
import type { RunningRun, RunStopped } from '../runs/running-run.ts';
import { isPartial, recordReading } from '../writing/part-writing.ts';
import { readRiskPart, writeRiskPart } from '../writing/risk-part.ts';
import { writePart } from '../writing/write-part.ts';

export interface FeedRun {
  readonly database: Database;
  readonly feed: AnyFeed;
  readonly fetcher: Fetcher;
  readonly running: RunningRun;
  /** Folder of temporary files between reading and writing. */
  readonly spoolFolder: string;
  /** Armored public keys that an administrator trusts for the source. */
  readonly trustedKeys?: readonly string[];
  /** Percent of a part's rows that may be withdrawn, and of a record's content that may be lost, without approval. */
  readonly shrinkageShare?: number;
  /** Returns the current time for feeds in epoch milliseconds; by default that of the system. */
  readonly now?: () => number;
  /** Called with errors that the publication did not cause. */
  readonly onError?: (error: unknown) => void;
}

/** Runs a sync. Never rejects; the result contains the failure. */
export async function runFeed(
  feedRun: FeedRun,
): Promise<{ readonly end: RunEnd; readonly changed: ReadonlySet<ListDefinition> }> {
  const { feed, running } = feedRun;
  const outcomes: PartOutcome[] = [];
  const changed = new Set<ListDefinition>();
  let stopped: RunStopped | null = null;
  for (const part of feed.parts) {
    const outcome = await runPart(feedRun, part, changed).catch((error: unknown): PartOutcome => {
      if (running.signal.aborted) stopped = running.signal.reason as RunStopped;
      else if (!(error instanceof FetchFailed || error instanceof BrokenDocument))
        feedRun.onError?.(error);
      return { part, kind: 'failed', cause: toPartFailure(error) };
    });
    if (stopped !== null) break;
    outcomes.push(outcome);
  }
  await running.settle();
  return { end: createRunEnd(running, outcomes, stopped), changed };
}

async function runPart(
  feedRun: FeedRun,
  part: AnyPart,
  changed: Set<ListDefinition>,
): Promise<PartOutcome> {
  const { database, feed, running, shrinkageShare = standardShrinkageShare } = feedRun;
  const { source } = running.run;
  running.signal.throwIfAborted();
  running.enter({ code: 'fetching', params: partParams(part) });
  const last = await readPartState(database, source, part.key);
  const since = performance.now();
  const isPending = await isQuarantined(database, source, part.key);
  const contents = await readIfChanged(feedRun, part, last, isPending);
  if (contents === null) return { part, kind: 'absent' };
  const { documents, isComplete, reading, reason } = contents;
  running.logDecision(reading === null ? 'a part was skipped' : 'a part was read', {
    part: part.key,
    reason,
    documents: documents.length,
    entries: reading?.entries,
    ms: msSince(since),
  });
  if (reading === null) {
    const remarks = last?.remarks ?? noRemarks;
    await reportStoredRemarks(running, part, remarks);
    if (isComplete) await recordReading({ database, feed, part, contents, running }, remarks);
    return { part, kind: 'unchanged', documents: documents.length };
  }
  try {
    running.enter({ code: 'writing', params: partParams(part) }, reading.entries);
    await markUnread(database, source, part.key);
    const writing = { database, contents, running, last, changed, shrinkageShare };
    if (isRiskFeed(feed))
      await writeRiskPart({ ...writing, feed, part: part as FeedPart<RiskItem> }, reading);
    else await writePart({ ...writing, feed, part: part as Part }, reading);
    return { part, kind: 'read', entries: reading.entries };
  } finally {
    await reading.spool.remove();
  }
}

/** Reads the part completely, unless it is unchanged and nothing is quarantined. Returns null when it is not published and was never read. */
async function readIfChanged(
  { database, feed, fetcher, running, spoolFolder, trustedKeys = [], now = Date.now }: FeedRun,
  part: AnyPart,
  last: PartState | null,
  isPending: boolean,
): Promise<
  (PartManifest & { readonly reading: PartReading | null; readonly reason: string }) | null
> {
  const { maxOpenBytes } = feed;
  const publication = createFeedPublication(part, {
    database,
    fetcher,
    running,
    last,
    trustedKeys,
    maxOpenBytes,
    now,
  });
  let contents: PartManifest | null = null;
  try {
    contents = await part.contents(publication);
    await reportManifestRemarks(running, part, contents, publication.absent);
    const { documents } = contents;
    const reason = isPending ? 'something is quarantined' : getReasonToRead(feed, contents, last);
    if (reason === null) return { ...contents, reading: null, reason: 'nothing has changed' };
    const bytes = documents.reduce((sum, { size }) => sum + size, 0);
    running.enter({ code: 'reading', params: partParams(part) }, bytes);
    publication.beginReading();
    const reading = isRiskFeed(feed)
      ? await readRiskPart(part as FeedPart<RiskItem>, contents, running, spoolFolder)
      : await readPart(part as Part, contents, running, spoolFolder);
    if (last !== null && isPartial(contents, last))
      await reading.remarks.carryOver(last.remarks, toPartialReading(contents, reading));
    reading.remarks.reportWords();
    return { ...contents, reading, reason };
  } catch (error) {
    if (running.signal.aborted) throw error;
    if (contents === null && last !== null) await reportStoredRemarks(running, part, last.remarks);
    if (error instanceof NotPublished && contents === null) {
      if (last === null) return null;
      throw new FetchFailed(
        error.url,
        { code: 'no_longer_published', params: {} },
        { cause: error },
      );
    }
    if (!isUndamaged(error)) await distrustNewDocuments(fetcher, publication, last, error);
    throw error;
  }
}

/** Returns true for a document that was not received or is not published: the others of the part are not in doubt. */
function isUndamaged(error: unknown): boolean {
  if (!(error instanceof FetchFailed)) return error instanceof NotPublished;
  const { failure } = error;
  return !(failure.code === 'not_fetched' && damages.has(failure.params.problem.code));
}

const damages: ReadonlySet<FetchProblem['code']> = new Set(['checksum', 'unreadable']);

/**
 * Removes the copies of an unreadable document, and of new documents that were fetched with it, in favour of those that were read
 * last. A proxy may have damaged them, and the vendor would report them as unchanged, so that the next syncs would fail one after
 * another.
 */
async function distrustNewDocuments(
  fetcher: Fetcher,
  { opened }: FeedPublication,
  last: PartState | null,
  error: unknown,
): Promise<void> {
  const read = last?.documents;
  const changed = [...opened].flatMap(([url, sha256]) => (read?.get(url) === sha256 ? [] : url));
  const broken = error instanceof BrokenDocument ? [error.url] : [];
  for (const url of new Set([...broken, ...changed])) await fetcher.distrust(url, read?.get(url));
}

function toPartialReading(
  { documents }: PartManifest,
  { hashesByList, rejectedKeys }: PartReading,
): PartialReading {
  const urls = new Set(documents.map(({ url }) => url));
  return {
    wasMet: (key) =>
      rejectedKeys.has(key) || [...hashesByList.values()].some((keys) => keys.has(key)),
    wasRead: (url) => urls.has(url),
  };
}

/** Returns null when nothing has changed since the last reading. */
function getReasonToRead(
  feed: AnyFeed,
  { documents, isComplete }: PartManifest,
  last: PartState | null,
): string | null {
  if (last === null) return 'it was never read';
  if (last.feedVersion === 0) return 'it was written otherwise since';
  if (last.feedVersion !== feed.version) return 'the reader has changed';
  const read = last.documents;
  if (documents.some(({ url, sha256 }) => read.get(url) !== sha256))
    return 'documents have changed';
  const isAllThere = new Set(documents.map(({ url }) => url)).size === read.size;
  return isComplete && !isAllThere ? 'documents are missing' : null;
}

function toPartFailure(error: unknown): PartFailure {
  if (isDiskFull(error)) return { code: 'disk_full', params: {} };
  if (isDatabaseUnavailable(error)) return { code: 'database_lost', params: {} };
  if (isPublicationFailure(error)) return error.failure;
  return {
    code: 'unexpected',
    params: { text: error instanceof Error ? error.message : String(error) },
  };
}
