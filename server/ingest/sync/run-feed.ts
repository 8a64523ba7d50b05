/** Syncs one source from beginning to end: each part is fetched, compared with the last reading, read completely, and written. The policies live here, never in a feed. */

import { FetchFailed, NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import {
  type AnyFeed,
  type AnyPart,
  isRiskFeed,
  type Part,
  type PartManifest,
  type PartOf,
  type RiskItem,
} from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { BrokenDocument } from '@patch/catalogue/parsers/document-of.ts';
import { isPublicationFailure } from '@patch/catalogue/parsers/publication-failure.ts';
import type { PartFailure } from '@patch/contract/run-message.ts';
import { standardShrinkageShare } from '@patch/contract/source-settings-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { isDatabaseUnavailable, isDiskFull } from '../../platform/database/database-unavailable.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { type PartRead, partRead, recordPartRead } from './feed-part-store.ts';
import { type FeedPublication, feedPublication } from './feed-publication.ts';
import type { Fetcher } from './fetcher.ts';
import { partParams } from './part-params.ts';
import { isPartial } from './part-writing.ts';
import { isQuarantined } from './quarantine-store.ts';
import { type PartReading, readPart } from './read-part.ts';
import { readRiskPart, writeRiskPart } from './risk-part.ts';
import { endOfRun, type PartOutcome } from './run-end.ts';
import type { RunEnd } from './run-store.ts';
import type { RunningRun, RunStopped } from './running-run.ts';
import {
  noRemarks,
  type PartialReading,
  remarkOnManifest,
  repeatRemarks,
} from './standing-remarks.ts';
import { writePart } from './write-part.ts';

export interface FeedRun {
  readonly database: Database;
  readonly feed: AnyFeed;
  readonly fetcher: Fetcher;
  readonly running: RunningRun;
  /** For temporary files between reading and writing. */
  readonly spoolFolder: string;
  /** Armored public keys that an administrator trusts for the source. */
  readonly trustedKeys?: readonly string[];
  /** Percent of a part's rows that may be withdrawn, and of a record's content that may be lost, without approval; the default when absent. */
  readonly shrinkageShare?: number;
  /** The current time for feeds, epoch milliseconds; the system's clock when absent. */
  readonly now?: () => number;
  /** An error that the publication did not cause, for the developers. */
  readonly onError?: (error: unknown) => void;
}

/** Never throws: the result says how it went. */
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
      return { part, kind: 'failed', cause: failureOf(error) };
    });
    if (stopped !== null) break;
    outcomes.push(outcome);
  }
  await running.settle();
  return { end: endOfRun(running, outcomes, stopped), changed };
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
  const last = await partRead(database, source, part.key);
  const since = performance.now();
  const waits = await isQuarantined(database, source, part.key);
  const contents = await readIfChanged(feedRun, part, last, waits);
  if (contents === null) return { part, kind: 'absent' };
  const { documents, whole, remember, reading, reason } = contents;
  running.decided(reading === null ? 'a part was skipped' : 'a part was read', {
    part: part.key,
    reason,
    documents: documents.length,
    entries: reading?.entries,
    ms: msSince(since),
  });
  if (reading === null) {
    const remarks = last?.remarks ?? noRemarks;
    await repeatRemarks(running, part, remarks);
    if (whole)
      await recordPartRead(
        database,
        source,
        part.key,
        { feedVersion: feed.version, documents, whole, remarks, remember },
        Date.now(),
      );
    return { part, kind: 'unchanged', documents: documents.length };
  }
  try {
    running.enter({ code: 'writing', params: partParams(part) }, reading.entries);
    const writing = { database, contents, running, last, changed, shrinkageShare };
    if (isRiskFeed(feed))
      await writeRiskPart({ ...writing, feed, part: part as PartOf<RiskItem> }, reading);
    else await writePart({ ...writing, feed, part: part as Part }, reading);
    return { part, kind: 'read', entries: reading.entries };
  } finally {
    await reading.spool.remove();
  }
}

/** What the part holds, read to its end unless it is unchanged and nothing is pending; null when it is not published and never was. */
async function readIfChanged(
  { database, feed, fetcher, running, spoolFolder, trustedKeys = [], now = Date.now }: FeedRun,
  part: AnyPart,
  last: PartRead | null,
  waits: boolean,
): Promise<
  (PartManifest & { readonly reading: PartReading | null; readonly reason: string }) | null
> {
  const { maxOpenBytes } = feed;
  const publication = feedPublication(part, {
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
    await remarkOnManifest(running, part, contents, publication.absent);
    const { documents } = contents;
    const reason = waits ? 'something is quarantined' : reasonToRead(feed, contents, last);
    if (reason === null) return { ...contents, reading: null, reason: 'nothing has changed' };
    const bytes = documents.reduce((sum, { size }) => sum + size, 0);
    running.enter({ code: 'reading', params: partParams(part) }, bytes);
    publication.beginReading();
    const reading = isRiskFeed(feed)
      ? await readRiskPart(part as PartOf<RiskItem>, contents, running, spoolFolder)
      : await readPart(part as Part, contents, running, spoolFolder);
    if (last !== null && isPartial(contents, last))
      await reading.remarks.carryOver(last.remarks, lookedAt(contents, reading));
    reading.remarks.tellWords();
    return { ...contents, reading, reason };
  } catch (error) {
    if (running.signal.aborted) throw error;
    if (contents === null && last !== null) await repeatRemarks(running, part, last.remarks);
    if (error instanceof NotPublished && contents === null) {
      if (last === null) return null;
      throw new FetchFailed(
        error.url,
        { code: 'no_longer_published', params: {} },
        { cause: error },
      );
    }
    if (!(error instanceof FetchFailed || error instanceof NotPublished))
      await distrustUnread(fetcher, publication, last, error);
    throw error;
  }
}

/**
 * An unreadable document is not trusted the next time either: a proxy may have damaged it, and the vendor may say that it is unchanged.
 * Nor are documents that came with it and were never read: one bad line damages several, and they would fail one sync after the other.
 */
async function distrustUnread(
  fetcher: Fetcher,
  { opened }: FeedPublication,
  last: PartRead | null,
  error: unknown,
): Promise<void> {
  if (error instanceof BrokenDocument) await fetcher.distrust(error.url);
  for (const [url, sha256] of opened)
    if (last?.documents.get(url) !== sha256) await fetcher.distrust(url);
}

function lookedAt({ documents }: PartManifest, { met, rejectedKeys }: PartReading): PartialReading {
  const urls = new Set(documents.map(({ url }) => url));
  return {
    wasMet: (key) => rejectedKeys.has(key) || [...met.values()].some((keys) => keys.has(key)),
    wasRead: (url) => urls.has(url),
  };
}

/** Null when nothing has changed since the part was last read. */
function reasonToRead(
  feed: AnyFeed,
  { documents, whole }: PartManifest,
  last: PartRead | null,
): string | null {
  if (last === null) return 'it was never read';
  if (last.feedVersion !== feed.version) return 'the reader has changed';
  const read = last.documents;
  if (documents.some(({ url, sha256 }) => read.get(url) !== sha256))
    return 'documents have changed';
  const isAllThere = new Set(documents.map(({ url }) => url)).size === read.size;
  return whole && !isAllThere ? 'documents are missing' : null;
}

function failureOf(error: unknown): PartFailure {
  if (isDiskFull(error)) return { code: 'disk_full', params: {} };
  if (isDatabaseUnavailable(error)) return { code: 'database_lost', params: {} };
  if (isPublicationFailure(error)) return error.failure;
  return {
    code: 'unexpected',
    params: { text: error instanceof Error ? error.message : String(error) },
  };
}
