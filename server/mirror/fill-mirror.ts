/** Downloads what syncs need into a folder that FEED_MIRROR can name: for networks from which no vendor can be reached. */
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Document, NotPublished, type Part, type Publication } from '@patch/catalogue/definition/feed.ts';
import { fileInMirror, pathInMirror } from '@patch/catalogue/formats/mirror-layout.ts';
import { DocumentCache } from '../sync/document-cache.ts';
import { Fetcher, type FetcherOptions } from '../sync/fetcher.ts';
import type { Upstream } from '../sync/upstream.ts';
import type { ChosenParts } from './chosen-parts.ts';

export interface FillMirror {
  /** Made when it is not there. */
  readonly folder: string;
  readonly chosen: readonly ChosenParts[];
  readonly upstream: Upstream;
  readonly signal: AbortSignal;
  /** Armored keys that are trusted for a source beside those its feed pins. */
  readonly trustedKeys: (source: string) => Promise<readonly string[]>;
  /** A line for the person at the terminal. */
  readonly tell: (line: string) => void;
  readonly fetcherOptions?: FetcherOptions;
}

export interface MirrorFilled {
  readonly parts: number;
  readonly failed: number;
  readonly documents: number;
  /** Of them those that were new or had changed. */
  readonly fresh: number;
  readonly bytes: number;
}

/** No host begins with a dot. What was fetched is remembered here, so that the next time it is asked for by condition. */
const memory = '.fill-mirror';

/**
 * Part by part. The documents of a part are laid out only once all of them have come, so that an index and what it names belong
 * together. A part that fails is told and leaves the others, and what was there of it, as they are. Rejects when it is aborted.
 */
export async function fillMirror({
  folder,
  chosen,
  upstream,
  signal,
  trustedKeys,
  tell,
  fetcherOptions,
}: FillMirror): Promise<MirrorFilled> {
  const cache = new DocumentCache(join(folder, memory));
  await cache.prepare();
  const fetcher = new Fetcher(upstream, cache, fetcherOptions);
  const sum = { parts: 0, failed: 0, documents: 0, fresh: 0, bytes: 0 };
  for (const { source, label, parts } of chosen) {
    const keys = await trustedKeys(source);
    for (const part of parts) {
      const began = Date.now();
      const name = `${label}, ${part.label}`;
      sum.parts++;
      try {
        const { documents, absent } = await fetched(part, fetcher, signal, keys, (words) => tell(`${name}: ${words}`));
        const laid = await layOut(folder, documents, absent);
        sum.documents += documents.length;
        sum.fresh += laid.fresh;
        sum.bytes += laid.bytes;
        tell(
          `${name}: ${documents.length} documents, ${laid.fresh} new or changed, ${megabytes(laid.bytes)}, ${seconds(Date.now() - began)}`,
        );
        for (const path of laid.gone) tell(`${name}: ${path} is not published any more and was removed`);
      } catch (error) {
        signal.throwIfAborted();
        sum.failed++;
        tell(`${name}: FAILED. ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  await cache.sweep();
  return sum;
}

interface Fetched {
  readonly documents: readonly Document[];
  /** Addresses that the vendor does not publish. */
  readonly absent: readonly string[];
}

/** What the part opens when nothing of it is known, so that the folder holds all that a first sync needs. */
async function fetched(
  part: Part,
  fetcher: Fetcher,
  signal: AbortSignal,
  trustedKeys: readonly string[],
  warn: (words: string) => void,
): Promise<Fetched> {
  const documents = new Map<string, Document>();
  const absent = new Set<string>();
  const publication: Publication = {
    async open(url, options = {}) {
      try {
        const document = await fetcher.open(url, options, { signal, warn });
        documents.set(url, document);
        return document;
      } catch (error) {
        if (error instanceof NotPublished) absent.add(url);
        throw error;
      }
    },
    known: () => Promise.resolve(new Set()),
    readLast: () => Promise.resolve([]),
    trustedKeys,
    readWholeAt: null,
    now: Date.now,
  };
  await part.contents(publication);
  return { documents: [...documents.values()], absent: [...absent] };
}

async function layOut(folder: string, documents: readonly Document[], absent: readonly string[]) {
  let fresh = 0;
  let bytes = 0;
  for (const document of documents) {
    bytes += document.size;
    if (await laidDown(folder, document)) fresh++;
  }
  const gone: string[] = [];
  for (const url of absent) {
    const file = await fileInMirror(folder, url);
    if (file === null) continue;
    await rm(file);
    gone.push(pathInMirror(url));
  }
  return { fresh, bytes, gone };
}

/** False when the folder has it already. It appears whole, with the time at which its vendor last changed it. */
async function laidDown(folder: string, document: Document): Promise<boolean> {
  const path = join(folder, pathInMirror(document.url));
  const copy = await document.file();
  try {
    const [own, there] = [await stat(copy.path), await stat(path).catch(() => null)];
    const modified = document.lastModified === null ? own.mtime : new Date(document.lastModified);
    // One file under two names, as it was laid down before; or its copy, on a disk that knows no second names.
    const same = there?.ino === own.ino && there.dev === own.dev;
    if (same || (there?.size === own.size && there.mtimeMs === modified.getTime())) return false;
    await utimes(copy.path, modified, modified);
    await mkdir(dirname(path), { recursive: true });
    await rename(copy.path, path);
    return true;
  } finally {
    await copy.remove();
  }
}

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
