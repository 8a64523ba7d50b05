/** The publication that a part of a feed reads: documents from the fetcher, and the stored records of its list. */

import { createHash } from 'node:crypto';
import { NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type { DocumentFailure } from '@patch/catalogue/definition/document-failure.ts';
import type {
  AnyPart,
  Document,
  OpenOptions,
  Publication,
} from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { documentOfLines } from '@patch/catalogue/parsers/list-document.ts';
import type { Database } from '../../platform/database/database.ts';
import { ownHash } from '../../platform/database/records/concluded-content.ts';
import { findListedKeys } from '../../platform/database/records/listed-keys-store.ts';
import {
  readFingerprints,
  readListedRecords,
} from '../../platform/database/records/stored-record.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import type { DocumentRetry, Fetcher } from '../fetching/fetcher.ts';
import { type PartState, readPartState } from '../parts/feed-part-store.ts';
import { partParams } from '../runs/part-params.ts';
import type { RunningRun } from '../runs/running-run.ts';

export interface FeedPublication extends Publication {
  /** SHA-256 of each opened document, by address. */
  readonly opened: ReadonlyMap<string, string>;
  /** Requested addresses that are not published. */
  readonly absent: ReadonlySet<string>;
  /** Switches the progress of the run from received bytes to bytes that the part reads. */
  beginReading(): void;
}

export function createFeedPublication(
  part: AnyPart,
  {
    database,
    fetcher,
    running,
    last,
    trustedKeys,
    maxOpenBytes,
    now,
  }: {
    readonly database: Database;
    readonly fetcher: Fetcher;
    readonly running: RunningRun;
    readonly last: PartState | null;
    readonly trustedKeys: readonly string[];
    /** Limit of the feed. A part may set a lower one. */
    readonly maxOpenBytes: number | undefined;
    readonly now: () => number;
  },
): FeedPublication {
  const opened = new Map<string, string>();
  const absent = new Set<string>();
  let reading = false;
  const context = {
    signal: running.signal,
    lastRead: (url: string) => last?.documents.get(url),
    copyRead: (cause: DocumentFailure, fetchedAt: number) =>
      running.warn({ code: 'copy_read', params: { ...partParams(part), cause, fetchedAt } }),
    retrying: (url: string, retry: DocumentRetry | null) => running.retry(url, retry),
    received: (bytes: number) => {
      if (!reading) running.advance(bytes);
    },
    taken: (bytes: number) => {
      if (reading) running.advance(bytes);
    },
  };
  return {
    opened,
    absent,
    beginReading() {
      reading = true;
    },
    async open(url: string, options: OpenOptions = {}): Promise<Document> {
      const since = performance.now();
      const logDecision = (words: string, facts: object) =>
        running.logDecision(words, { part: part.key, url, ...facts, ms: msSince(since) });
      const document = await fetcher
        .open(url, { ...(maxOpenBytes !== undefined && { maxOpenBytes }), ...options }, context)
        .catch((error: unknown) => {
          if (error instanceof NotPublished) absent.add(url);
          logDecision('a document was not received', { reason: (error as Error).message });
          throw error;
        });
      opened.set(url, document.sha256);
      const isUnchanged = last?.documents.get(url) === document.sha256;
      logDecision('a document was received', { bytes: document.size, isUnchanged });
      return document;
    },
    openList: (list) => createListDocument(database, list),
    known: (list, keys) => findListedKeys(database, list, keys),
    async readLast() {
      const documents: Document[] = [];
      for (const [url, sha256] of last?.documents ?? []) {
        const document = await fetcher.openCached(url, sha256, context);
        if (document !== null) documents.push(document);
      }
      return documents;
    },
    partRemembered: async (key) =>
      (await readPartState(database, running.run.source, key))?.remembered ?? null,
    distrust: (url) => fetcher.distrust(url, last?.documents.get(url)),
    trustedKeys,
    lastCompleteReadAt: last?.completelyReadAt ?? null,
    ...(last?.remembered && { remembered: last.remembered }),
    now,
  };
}

/** Reads keys and content hashes now, and records when the document is read. Conclusions about the records do not change its hash. */
async function createListDocument(database: Database, list: ListDefinition): Promise<Document> {
  const hash = createHash('sha256');
  for await (const { key, contentHash } of readFingerprints(database, list))
    hash.update(`${JSON.stringify([key, ownHash(contentHash)])}\n`);
  return documentOfLines(list, hash.digest('hex'), async function* () {
    for await (const record of readListedRecords(database, list)) yield JSON.stringify(record);
  });
}
