/** The single path to upstream servers: conditional requests, timeouts and limits, and complete, verified documents before anything is parsed. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FetchFailed, NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type {
  DocumentFailure,
  FetchProblem,
} from '@patch/catalogue/definition/document-failure.ts';
import type {
  Checksum,
  Document,
  DocumentFile,
  OpenOptions,
} from '@patch/catalogue/definition/feed.ts';
import { BrokenDocument, documentOf } from '@patch/catalogue/parsers/document-of.ts';
import type { Copy, DocumentCache, ReceivedBody } from './document-cache.ts';
import {
  brokenAttempt,
  checksumAttempt,
  FailedAttempt,
  failedAfter,
  oversizedAttempt,
  unaskedAttempt,
} from './fetch-failed.ts';
import { backoffDelay, maxRequestedWaitMs } from './retry-delay.ts';
import type { Upstream } from './upstream.ts';

export interface FetcherOptions {
  readonly tries?: number;
  readonly maxBytes?: number;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Why a document is asked for again, and when. */
export interface DocumentRetry {
  readonly problem: FetchProblem;
  /** The next attempt, of how many. */
  readonly attempt: number;
  readonly attempts: number;
  /** Epoch milliseconds. */
  readonly retryAt: number;
}

export interface FetchContext {
  readonly signal: AbortSignal;
  /** The last good copy is read instead of a document that cannot be fetched. `fetchedAt` in epoch milliseconds. */
  readonly copyRead: (cause: DocumentFailure, fetchedAt: number) => void;
  /** Before each retry of a document; null once it was fetched or has failed for good. */
  readonly retrying?: (url: string, retry: DocumentRetry | null) => void;
  /** Bytes received from the vendor. */
  readonly received?: (bytes: number) => void;
  /** Bytes of a document, as served, that its reader has consumed. */
  readonly taken?: (bytes: number) => void;
}

export class Fetcher {
  readonly #upstream: Upstream;
  readonly #cache: DocumentCache;
  readonly #tries: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;

  constructor(upstream: Upstream, cache: DocumentCache, options: FetcherOptions = {}) {
    this.#upstream = upstream;
    this.#cache = cache;
    this.#tries = options.tries ?? 4;
    this.#maxBytes = options.maxBytes ?? 1.5 * 1024 ** 3;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? Math.random;
    this.#sleep =
      options.sleep ?? ((milliseconds, signal) => pause(milliseconds, undefined, { signal }));
  }

  /** Throws NotPublished, FetchFailed, or the signal's reason once it is aborted. */
  async open(url: string, options: OpenOptions, context: FetchContext): Promise<Document> {
    context.signal.throwIfAborted();
    const have = await this.#cache.recall(url);
    if (have !== null && (await this.#isCurrent(have, options))) {
      await this.#cache.touch(url);
      return this.#documentOf(have, options, context);
    }
    try {
      return this.#documentOf(await this.#fetch(url, have, options, context), options, context);
    } catch (error) {
      if (!(error instanceof FetchFailed) || options.lastGoodCopy !== true || have === null)
        throw error;
      context.copyRead(error.failure, have.fetchedAt);
      return this.#documentOf(have, options, context);
    }
  }

  /** The copy of a document with that checksum, without asking the vendor; null when it is no longer cached. */
  async kept(url: string, sha256: string, context: FetchContext): Promise<Document | null> {
    const have = await this.#cache.recall(url);
    if (have?.sha256 !== sha256) return null;
    await this.#cache.touch(url);
    return this.#documentOf(have, {}, context);
  }

  /** The document could not be read: its copy is no longer trusted, and the next sync fetches it again. */
  async distrust(url: string): Promise<void> {
    await this.#cache.forget(url);
  }

  /** Whether the copy is known to be the published one, without a request. */
  async #isCurrent(have: Copy, { version, checksum }: OpenOptions): Promise<boolean> {
    if (version !== undefined && !(this.#isOfThisOrigin(have) && version === have.version))
      return false;
    if (checksum !== undefined) return await this.#matches(have, checksum);
    return version !== undefined;
  }

  /** Another mirror may have the document in another state, with the same ETag. */
  #isOfThisOrigin(have: Copy): boolean {
    return have.origin === this.#upstream.origin;
  }

  async #matches(have: Copy, { algorithm, value }: Checksum): Promise<boolean> {
    if (algorithm === 'sha256') return have.sha256 === value;
    const hash = createHash(algorithm);
    for await (const piece of this.#cache.read(have.sha256)) hash.update(piece);
    return hash.digest('hex') === value;
  }

  async #fetch(
    url: string,
    have: Copy | null,
    options: OpenOptions,
    context: FetchContext,
  ): Promise<Copy> {
    const started = this.#now();
    let retried = false;
    // A copy that differs from the announced checksum is wrong: no condition, or the reply would be that it is unchanged.
    const condition =
      options.checksum === undefined && have !== null && this.#isOfThisOrigin(have) ? have : null;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#attempt(url, condition, options, context);
        } catch (error) {
          context.signal.throwIfAborted();
          if (!(error instanceof FailedAttempt)) throw error;
          const wait = error.waitAsked ?? backoffDelay(attempt - 1, this.#random);
          if (!error.passing || attempt >= this.#tries || wait > maxRequestedWaitMs) {
            throw failedAfter(url, error, attempt, this.#now() - started);
          }
          retried = true;
          context.retrying?.(url, {
            problem: error.problem,
            attempt: attempt + 1,
            attempts: this.#tries,
            retryAt: this.#now() + wait,
          });
          await this.#sleep(wait, context.signal).catch(() => context.signal.throwIfAborted());
        }
      }
    } finally {
      if (retried) context.retrying?.(url, null);
    }
  }

  async #attempt(
    url: string,
    have: Copy | null,
    options: OpenOptions,
    context: FetchContext,
  ): Promise<Copy> {
    const served = await this.#upstream.ask(url, have, context.signal, options);
    if (served.kind === 'absent') throw new NotPublished(url);
    const version = options.version ?? null;
    if (served.kind === 'unchanged') {
      if (have === null) throw unaskedAttempt();
      const same = { ...have, version };
      await (version === have.version ? this.#cache.touch(url) : this.#cache.note(same));
      return same;
    }
    const pieces = withinLimit(
      served.body,
      served.length,
      options.maxBytes ?? this.#maxBytes,
      context,
    );
    const body = await this.#cache.receive(pieces, options.checksum?.algorithm ?? null);
    const { etag, lastModified } = served;
    const { origin } = this.#upstream;
    const copy: Copy = {
      url,
      sha256: body.sha256,
      size: body.size,
      etag,
      lastModified,
      version,
      fetchedAt: this.#now(),
      origin,
    };
    try {
      await this.#verify(body, copy, options);
    } catch (error) {
      await this.#cache.discard(body);
      throw error;
    }
    await this.#cache.keep(body, copy);
    return copy;
  }

  async #verify(body: ReceivedBody, copy: Copy, options: OpenOptions): Promise<void> {
    const { checksum, readThrough = drained } = options;
    if (checksum !== undefined && body.sum !== checksum.value)
      throw checksumAttempt(checksum.algorithm, checksum.value, body.sum ?? '');
    if (options.lastGoodCopy !== true && options.readThrough === undefined) return;
    // It is about to replace a good copy: it must be readable to its end.
    try {
      await readThrough(documentOf(factsOf(copy), () => this.#cache.readArrived(body), options));
    } catch (error) {
      throw error instanceof BrokenDocument ? brokenAttempt(error) : error;
    }
  }

  #documentOf(copy: Copy, options: OpenOptions, context: FetchContext): Document {
    const served = () => counted(this.#cache.read(copy.sha256), context);
    return documentOf(factsOf(copy), served, options, () => this.#fileOf(copy, context));
  }

  async #fileOf({ sha256 }: Copy, { signal, taken }: FetchContext): Promise<DocumentFile> {
    signal.throwIfAborted();
    const folder = await this.#cache.layOut(sha256);
    return {
      path: join(folder, 'document'),
      folder,
      taken(bytes) {
        signal.throwIfAborted();
        taken?.(bytes);
      },
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  }
}

async function drained(document: Document): Promise<void> {
  for await (const _ of document.bytes());
}

function factsOf(copy: Copy): Pick<Document, 'url' | 'sha256' | 'size' | 'lastModified'> {
  const modified = copy.lastModified === null ? Number.NaN : Date.parse(copy.lastModified);
  return {
    url: copy.url,
    sha256: copy.sha256,
    size: copy.size,
    lastModified: Number.isNaN(modified) ? null : modified,
  };
}

async function* withinLimit(
  body: AsyncIterable<Uint8Array>,
  announced: number | null,
  limit: number,
  { received }: FetchContext,
) {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit || (announced ?? 0) > limit) throw oversizedAttempt(limit);
    received?.(piece.length);
    yield piece;
  }
}

async function* counted(body: AsyncIterable<Uint8Array>, { taken, signal }: FetchContext) {
  for await (const piece of body) {
    signal.throwIfAborted();
    taken?.(piece.length);
    yield piece;
  }
}
