/** Downloads the documents that syncs need into a folder for FEED_MIRROR, for networks without access to the vendors. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type { DocumentFailure } from '@patch/catalogue/definition/document-failure.ts';
import type { AnyPart, Document, Publication } from '@patch/catalogue/definition/feed.ts';
import type { FeedRemark } from '@patch/catalogue/definition/feed-remark.ts';
import { feedRemarkText } from '@patch/catalogue/definition/feed-remark-text.ts';
import { listDocument } from '@patch/catalogue/parsers/list-document.ts';
import {
  fileInMirror,
  pathInMirror,
  UnsafeAddress,
} from '@patch/catalogue/parsers/mirror-layout.ts';
import { copyReadText } from '@patch/contract/sources/run-message-text.ts';
import { DocumentCache } from '../fetching/document-cache.ts';
import { Fetcher, type FetcherOptions } from '../fetching/fetcher.ts';
import type { Upstream } from '../fetching/upstream.ts';
import type { ChosenParts } from './chosen-parts.ts';

export interface FillMirrorOptions {
  /** Is created if it does not exist. */
  readonly folder: string;
  readonly chosen: readonly ChosenParts[];
  readonly upstream: Upstream;
  readonly signal: AbortSignal;
  /** Returns the armored keys that are trusted for a source in addition to those of its feed. */
  readonly trustedKeys: (source: string) => Promise<readonly string[]>;
  /** Prints a line to the terminal. */
  readonly print: (line: string) => void;
  readonly fetcherOptions?: FetcherOptions;
}

export interface FillMirrorResult {
  readonly parts: number;
  readonly failed: number;
  readonly documents: number;
  /** Count of new or changed documents. */
  readonly fresh: number;
  readonly bytes: number;
}

/** Folder of the document cache, which makes the next requests conditional. No host name begins with a dot. */
const cacheFolder = '.fill-mirror';

/**
 * Downloads part by part. Writes the documents of a part once all of them have arrived, so that an index matches the documents that
 * it lists. A failed part leaves its existing files and the other parts unchanged. So does a part whose substitute publication was
 * read, because that has fewer records than the existing files. A copy of the publisher at a second address replaces the first.
 *
 * @throws the reason of the signal when it is aborted
 */
export async function fillMirror(filling: FillMirrorOptions): Promise<FillMirrorResult> {
  const { folder, chosen, upstream, trustedKeys, print, fetcherOptions } = filling;
  const cache = new DocumentCache(join(folder, cacheFolder));
  await cache.prepare();
  const fetcher = new Fetcher(upstream, cache, fetcherOptions);
  const sum = { parts: 0, failed: 0, documents: 0, fresh: 0, bytes: 0 };
  for (const { source, label, parts } of chosen) {
    const keys = await trustedKeys(source);
    let absent = 0;
    for (const part of parts) {
      const outcome = await fillPart(filling, fetcher, part, keys, (words) =>
        print(`${label}, ${part.label}: ${words}`),
      );
      sum.parts++;
      if (outcome === 'absent') absent++;
      else if (outcome === 'failed') sum.failed++;
      else
        for (const count of ['documents', 'fresh', 'bytes'] as const) sum[count] += outcome[count];
    }
    if (parts.length === 0 || absent < parts.length) continue;
    sum.failed++;
    print(`${label}: FAILED. None of its parts is available at the source.`);
  }
  await cache.sweep();
  return sum;
}

type FillPartResult = Pick<FillMirrorResult, 'documents' | 'fresh' | 'bytes'> | 'absent' | 'failed';

async function fillPart(
  { folder, signal }: FillMirrorOptions,
  fetcher: Fetcher,
  part: AnyPart,
  trustedKeys: readonly string[],
  print: (words: string) => void,
): Promise<FillPartResult> {
  const began = Date.now();
  try {
    const { documents, absent, replaced } = await fetchPart(
      part,
      fetcher,
      signal,
      trustedKeys,
      print,
    );
    const { fresh, bytes } = await writeDocuments(folder, documents);
    print(
      `${documents.length} documents, ${fresh} new or changed, ${megabytes(bytes)}, ${seconds(Date.now() - began)}`,
    );
    for (const path of await removeFiles(folder, absent))
      print(`removed ${path}, which the vendor does not publish any more`);
    for (const path of await removeFiles(folder, replaced))
      print(`removed ${path}, which a copy at another address replaces`);
    return { documents: documents.length, fresh, bytes };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotPublished && (await findFile(folder, error.url)) === null) {
      print('not available at the source');
      return 'absent';
    }
    print(`FAILED. ${formatReason(error)}`);
    return 'failed';
  }
}

interface FetchedPart {
  readonly documents: readonly Document[];
  /** Addresses that the vendor does not publish, in a part that is published completely. */
  readonly absent: readonly string[];
  /** Addresses that were replaced by a copy at another address. Their files are removed, so that a sync finds no outdated state. */
  readonly replaced: readonly string[];
}

/** Fetches the documents that the part opens in a first sync. */
async function fetchPart(
  part: AnyPart,
  fetcher: Fetcher,
  signal: AbortSignal,
  trustedKeys: readonly string[],
  print: (words: string) => void,
): Promise<FetchedPart> {
  const documents = new Map<string, Document>();
  const absent = new Set<string>();
  const unreadable = new Set<string>();
  const copyRead = (cause: DocumentFailure, fetchedAt: number) =>
    print(copyReadText(cause, fetchedAt));
  const publication: Publication = {
    async open(url, options = {}) {
      try {
        const document = await fetcher.open(url, options, { signal, copyRead });
        documents.set(url, document);
        return document;
      } catch (error) {
        (error instanceof NotPublished ? absent : unreadable).add(url);
        throw error;
      }
    },
    openList: (list) => Promise.resolve(listDocument(list, [])),
    known: () => Promise.resolve(new Set()),
    readLast: () => Promise.resolve([]),
    distrust(url) {
      documents.delete(url);
      unreadable.add(url);
      return fetcher.distrust(url);
    },
    trustedKeys,
    lastCompleteReadAt: null,
    now: Date.now,
  };
  const { isComplete, standIn = [] } = await part.contents(publication);
  if (standIn.some((remark) => !isSecondAddress(remark)))
    throw new Error(standIn.map(feedRemarkText).join(' '));
  for (const remark of standIn) print(feedRemarkText(remark));
  return {
    documents: [...documents.values()],
    absent: isComplete ? [...absent] : [],
    replaced: standIn.length > 0 ? [...unreadable] : [],
  };
}

/** Returns true for a copy of the publisher at a second address, which is complete. */
const isSecondAddress = ({ code }: FeedRemark) => code === 'second_address_read';

/** Writes the documents in reverse order, so that an index is written after its documents and never lists missing files. */
async function writeDocuments(folder: string, documents: readonly Document[]) {
  let fresh = 0;
  let bytes = 0;
  for (const document of documents.toReversed()) {
    bytes += document.size;
    if (await writeDocument(folder, document)) fresh++;
  }
  return { fresh, bytes };
}

/** Removes the files of these addresses, and returns the paths of the existing ones in the mirror. */
async function removeFiles(
  folder: string,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const url of addresses) {
    const file = await findFile(folder, url);
    if (file === null) continue;
    await rm(file);
    paths.push(pathInMirror(url));
  }
  return paths;
}

/** Writes a document with the modification time of the vendor. Returns false when the folder already has the same bytes. */
async function writeDocument(folder: string, document: Document): Promise<boolean> {
  const path = join(folder, pathInMirror(document.url));
  const existing = await stat(path).catch(() => null);
  if (existing?.size === document.size && (await hashFile(path)) === document.sha256) return false;
  const copy = await document.file();
  try {
    if (document.lastModified !== null)
      await utimes(copy.path, new Date(document.lastModified), new Date(document.lastModified));
    await mkdir(dirname(path), { recursive: true });
    await rename(copy.path, path);
    return true;
  } finally {
    await copy.remove();
  }
}

function formatReason(error: unknown): string {
  if (error instanceof NotPublished)
    return `${error.url} has been removed by the vendor; existing files stay.`;
  return error instanceof Error ? error.message : String(error);
}

/** Returns the file of an address, or null. Returns null also for an address that cannot be in a mirror. */
async function findFile(folder: string, url: string): Promise<string | null> {
  try {
    return await fileInMirror(folder, url);
  } catch (error) {
    if (error instanceof UnsafeAddress) return null;
    throw error;
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
