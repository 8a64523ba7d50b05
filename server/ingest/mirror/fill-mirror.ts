/** Downloads what syncs need into a folder for FEED_MIRROR: for networks without access to the vendors. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type { DocumentFailure } from '@patch/catalogue/definition/document-failure.ts';
import type { AnyPart, Document, Publication } from '@patch/catalogue/definition/feed.ts';
import { type FeedRemark, feedRemarkText } from '@patch/catalogue/definition/feed-remark.ts';
import { listDocument } from '@patch/catalogue/parsers/list-document.ts';
import {
  fileInMirror,
  pathInMirror,
  UnsafeAddress,
} from '@patch/catalogue/parsers/mirror-layout.ts';
import { copyReadText } from '@patch/contract/run-message-text.ts';
import { DocumentCache } from '../sync/document-cache.ts';
import { Fetcher, type FetcherOptions } from '../sync/fetcher.ts';
import type { Upstream } from '../sync/upstream.ts';
import type { ChosenParts } from './chosen-parts.ts';

export interface FillMirror {
  /** Created when missing. */
  readonly folder: string;
  readonly chosen: readonly ChosenParts[];
  readonly upstream: Upstream;
  readonly signal: AbortSignal;
  /** Armored keys that are trusted for a source in addition to those its feed pins. */
  readonly trustedKeys: (source: string) => Promise<readonly string[]>;
  /** A line for the person at the terminal. */
  readonly tell: (line: string) => void;
  readonly fetcherOptions?: FetcherOptions;
}

export interface MirrorFilled {
  readonly parts: number;
  readonly failed: number;
  readonly documents: number;
  /** The number of new or changed ones. */
  readonly fresh: number;
  readonly bytes: number;
}

/** No host name begins with a dot. What was fetched is remembered here, so that the next request can be conditional. */
const memory = '.fill-mirror';

/**
 * Part by part. The documents of a part are written only once all of them have arrived, so that an index and what it names belong
 * together. A part that fails is reported and leaves the others and its own existing files unchanged; so does a part for which a
 * substitute publication was read, since that has less than the existing files. A publisher's own copy at a second address has
 * as much: it takes the place of the first. Rejects when it is aborted.
 */
export async function fillMirror(filling: FillMirror): Promise<MirrorFilled> {
  const { folder, chosen, upstream, trustedKeys, tell, fetcherOptions } = filling;
  const cache = new DocumentCache(join(folder, memory));
  await cache.prepare();
  const fetcher = new Fetcher(upstream, cache, fetcherOptions);
  const sum = { parts: 0, failed: 0, documents: 0, fresh: 0, bytes: 0 };
  for (const { source, label, parts } of chosen) {
    const keys = await trustedKeys(source);
    let absent = 0;
    for (const part of parts) {
      const outcome = await fillPart(filling, fetcher, part, keys, (words) =>
        tell(`${label}, ${part.label}: ${words}`),
      );
      sum.parts++;
      if (outcome === 'absent') absent++;
      else if (outcome === 'failed') sum.failed++;
      else
        for (const count of ['documents', 'fresh', 'bytes'] as const) sum[count] += outcome[count];
    }
    if (parts.length === 0 || absent < parts.length) continue;
    sum.failed++;
    tell(`${label}: FAILED. None of its parts is available at the source.`);
  }
  await cache.sweep();
  return sum;
}

type PartFilled = Pick<MirrorFilled, 'documents' | 'fresh' | 'bytes'> | 'absent' | 'failed';

async function fillPart(
  { folder, signal }: FillMirror,
  fetcher: Fetcher,
  part: AnyPart,
  trustedKeys: readonly string[],
  tell: (words: string) => void,
): Promise<PartFilled> {
  const began = Date.now();
  try {
    const { documents, absent, replaced } = await fetched(part, fetcher, signal, trustedKeys, tell);
    const { fresh, bytes } = await layOut(folder, documents);
    tell(
      `${documents.length} documents, ${fresh} new or changed, ${megabytes(bytes)}, ${seconds(Date.now() - began)}`,
    );
    for (const path of await removed(folder, absent))
      tell(`${path} is no longer published and was removed`);
    for (const path of await removed(folder, replaced))
      tell(`${path} was removed; the copy at the other address takes its place`);
    return { documents: documents.length, fresh, bytes };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotPublished && (await fileLaidDown(folder, error.url)) === null) {
      tell('not available at the source');
      return 'absent';
    }
    tell(`FAILED. ${reasonOf(error)}`);
    return 'failed';
  }
}

interface Fetched {
  readonly documents: readonly Document[];
  /** Addresses that the vendor does not publish, although it publishes the part as a whole. */
  readonly absent: readonly string[];
  /** Addresses that could not be read, in whose place a copy at another address was. A sync must not find an old state there. */
  readonly replaced: readonly string[];
}

/** The documents that the part opens when nothing is known yet, so that the folder holds everything that a first sync needs. */
async function fetched(
  part: AnyPart,
  fetcher: Fetcher,
  signal: AbortSignal,
  trustedKeys: readonly string[],
  tell: (words: string) => void,
): Promise<Fetched> {
  const documents = new Map<string, Document>();
  const absent = new Set<string>();
  const unreadable = new Set<string>();
  const copyRead = (cause: DocumentFailure, fetchedAt: number) =>
    tell(copyReadText(cause, fetchedAt));
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
    readWholeAt: null,
    now: Date.now,
  };
  const { whole, standIn = [] } = await part.contents(publication);
  if (standIn.some((remark) => !isSecondAddress(remark)))
    throw new Error(standIn.map(feedRemarkText).join(' '));
  for (const remark of standIn) tell(feedRemarkText(remark));
  return {
    documents: [...documents.values()],
    absent: whole ? [...absent] : [],
    replaced: standIn.length > 0 ? [...unreadable] : [],
  };
}

/** The publisher's own copy of the same documents: it has all that the first address has. */
const isSecondAddress = ({ code }: FeedRemark) => code === 'second_address_read';

/** An index was opened before the documents it names, but is written after them: a run that dies in between leaves no index that names missing documents. */
async function layOut(folder: string, documents: readonly Document[]) {
  let fresh = 0;
  let bytes = 0;
  for (const document of documents.toReversed()) {
    bytes += document.size;
    if (await laidDown(folder, document)) fresh++;
  }
  return { fresh, bytes };
}

/** The paths, within the mirror, of the files of these addresses that were there. */
async function removed(folder: string, addresses: readonly string[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const url of addresses) {
    const file = await fileLaidDown(folder, url);
    if (file === null) continue;
    await rm(file);
    paths.push(pathInMirror(url));
  }
  return paths;
}

/** False when the folder already has it, byte for byte. It appears complete, with the vendor's modification time. */
async function laidDown(folder: string, document: Document): Promise<boolean> {
  const path = join(folder, pathInMirror(document.url));
  const there = await stat(path).catch(() => null);
  if (there?.size === document.size && (await sha256Of(path)) === document.sha256) return false;
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

function reasonOf(error: unknown): string {
  if (error instanceof NotPublished)
    return `${error.url} is no longer published; its existing files stay.`;
  return error instanceof Error ? error.message : String(error);
}

/** Null also for an address that no mirror can hold. */
async function fileLaidDown(folder: string, url: string): Promise<string | null> {
  try {
    return await fileInMirror(folder, url);
  } catch (error) {
    if (error instanceof UnsafeAddress) return null;
    throw error;
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
