/** Fetches documents with conditional requests, timeouts and limits. Every document is complete and verified before it is parsed. */
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
import { BrokenDocument, createDocument } from '@patch/catalogue/parsers/create-document.ts';
import type { Copy, DocumentCache, ReceivedBody } from './document-cache.ts';
import { FailedAttempt, getBackoffDelay, maxRequestedWaitMs, type Upstream } from './upstream.ts';

export interface FetcherOptions {
  readonly tries?: number;
  readonly maxBytes?: number;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The reason and time of a retry. */
export interface DocumentRetry {
  readonly problem: FetchProblem;
  /** Number of the next attempt, starting with 1. */
  readonly attempt: number;
  readonly attempts: number;
  /** Epoch milliseconds. */
  readonly retryAt: number;
}

export interface FetchContext {
  readonly signal: AbortSignal;
  /** Called when the last good copy replaces a document that cannot be fetched. `fetchedAt` is in epoch milliseconds. */
  readonly copyRead: (cause: DocumentFailure, fetchedAt: number) => void;
  /** Returns the SHA-256 of the copy that was read last, which a new one replaces only once it was read too. */
  readonly lastRead?: (url: string) => string | undefined;
  /** Called before each retry of a document, and with null after its last attempt. */
  readonly retrying?: (url: string, retry: DocumentRetry | null) => void;
  /** Called with the count of bytes received from the vendor. */
  readonly received?: (bytes: number) => void;
  /** Called with the count of bytes of a document, as served, that its reader has consumed. */
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

  /** @throws NotPublished, FetchFailed, or the reason of the signal when it is aborted */
  async open(url: string, options: OpenOptions, context: FetchContext): Promise<Document> {
    context.signal.throwIfAborted();
    const cached = await this.#cache.find(url);
    if (cached !== null && (await this.#isCurrent(cached, options))) {
      await this.#cache.touch(url);
      return this.#toDocument(cached, options, context);
    }
    try {
      return this.#toDocument(await this.#fetch(url, cached, options, context), options, context);
    } catch (error) {
      const copy = findCopy(cached, context.lastRead?.(url)) ?? cached;
      if (!(error instanceof FetchFailed) || options.lastGoodCopy !== true || copy === null)
        throw error;
      context.copyRead(error.failure, copy.fetchedAt);
      return this.#toDocument(copy, options, context);
    }
  }

  /** Returns the cached document with that checksum without a request, or null. */
  async openCached(url: string, sha256: string, context: FetchContext): Promise<Document | null> {
    const copy = findCopy(await this.#cache.find(url), sha256);
    if (copy === null) return null;
    await this.#cache.touch(url);
    return this.#toDocument(copy, {}, context);
  }

  /** Replaces the copy of an unreadable document with the one that was read last; without one, the next sync fetches it again. */
  async distrust(url: string, lastRead?: string): Promise<void> {
    const former = (await this.#cache.find(url))?.former ?? null;
    if (former?.sha256 === lastRead && former !== null) await this.#cache.saveFacts(former);
    else await this.#cache.remove(url);
  }

  /** Returns true when the version or checksum shows, without a request, that the copy is current. */
  async #isCurrent(cached: Copy, { version, checksum }: OpenOptions): Promise<boolean> {
    if (version !== undefined && !(this.#isFromThisOrigin(cached) && version === cached.version))
      return false;
    if (checksum !== undefined) return await this.#matches(cached, checksum);
    return version !== undefined;
  }

  /** Compares origins, because another mirror may have another state of the document with the same ETag. */
  #isFromThisOrigin(cached: Copy): boolean {
    return cached.origin === this.#upstream.origin;
  }

  async #matches(cached: Copy, { algorithm, value }: Checksum): Promise<boolean> {
    if (algorithm === 'sha256') return cached.sha256 === value;
    const hash = createHash(algorithm);
    for await (const piece of this.#cache.read(cached.sha256)) hash.update(piece);
    return hash.digest('hex') === value;
  }

  async #fetch(
    url: string,
    cached: Copy | null,
    options: OpenOptions,
    context: FetchContext,
  ): Promise<Copy> {
    const started = this.#now();
    let retried = false;
    const former = options.lastGoodCopy === true ? findCopy(cached, context.lastRead?.(url)) : null;
    // Sends no condition with an announced checksum, because the copy differs from it and must not be confirmed as unchanged.
    const condition =
      options.checksum === undefined && cached !== null && this.#isFromThisOrigin(cached)
        ? cached
        : null;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#attempt(url, { condition, former }, options, context);
        } catch (error) {
          context.signal.throwIfAborted();
          if (!(error instanceof FailedAttempt)) throw error;
          const wait = error.requestedWaitMs ?? getBackoffDelay(attempt - 1, this.#random);
          if (!error.isTransient || attempt >= this.#tries || wait > maxRequestedWaitMs) {
            const spent = { attempts: attempt, milliseconds: this.#now() - started };
            throw new FetchFailed(url, error.problem, { ...spent, cause: error });
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
    { condition: cached, former }: Readonly<Record<'condition' | 'former', Copy | null>>,
    options: OpenOptions,
    context: FetchContext,
  ): Promise<Copy> {
    const served = await this.#upstream.request(url, cached, context.signal, options);
    if (served.kind === 'absent') throw new NotPublished(url);
    const version = options.version ?? null;
    if (served.kind === 'unchanged') {
      if (cached === null) throw new FailedAttempt({ code: 'unasked_not_modified', params: {} });
      const same = { ...cached, version };
      await (version === cached.version ? this.#cache.touch(url) : this.#cache.saveFacts(same));
      return same;
    }
    const pieces = limitBytes(
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
      // Nested once only.
      former: former && { ...former, former: null },
    };
    try {
      await this.#verify(body, copy, options);
    } catch (error) {
      await this.#cache.discard(body);
      throw error;
    }
    await this.#cache.store(body, copy);
    return copy;
  }

  async #verify(body: ReceivedBody, copy: Copy, options: OpenOptions): Promise<void> {
    const { checksum, readThrough = drain } = options;
    if (checksum !== undefined && body.digest !== checksum.value) {
      const { algorithm, value: expected } = checksum;
      const params = { algorithm, received: body.digest ?? '', expected };
      throw new FailedAttempt({ code: 'checksum', params });
    }
    if (options.lastGoodCopy !== true && options.readThrough === undefined) return;
    // Reads the document to its end before it replaces a good copy.
    try {
      await readThrough(
        createDocument(toDocumentFacts(copy), () => this.#cache.readReceived(body), options),
      );
    } catch (error) {
      if (!(error instanceof BrokenDocument)) throw error;
      const { problem } = error;
      throw new FailedAttempt({ code: 'unreadable', params: { problem } }, { cause: error });
    }
  }

  #toDocument(copy: Copy, options: OpenOptions, context: FetchContext): Document {
    const served = () => countBytes(this.#cache.read(copy.sha256), context);
    return createDocument(toDocumentFacts(copy), served, options, () =>
      this.#createFile(copy, context),
    );
  }

  async #createFile({ sha256 }: Copy, { signal, taken }: FetchContext): Promise<DocumentFile> {
    signal.throwIfAborted();
    const folder = await this.#cache.linkBody(sha256);
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

async function drain(document: Document): Promise<void> {
  for await (const _ of document.bytes());
}

/** Returns the copy with that checksum: this one, or the one before it. */
const findCopy = (cached: Copy | null, sha256: string | undefined): Copy | null =>
  [cached, cached?.former].find((copy) => copy?.sha256 === sha256) ?? null;

function toDocumentFacts(copy: Copy): Pick<Document, 'url' | 'sha256' | 'size' | 'lastModified'> {
  const modified = copy.lastModified === null ? Number.NaN : Date.parse(copy.lastModified);
  return {
    url: copy.url,
    sha256: copy.sha256,
    size: copy.size,
    lastModified: Number.isNaN(modified) ? null : modified,
  };
}

async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  announced: number | null,
  limit: number,
  { received }: FetchContext,
) {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit || (announced ?? 0) > limit)
      throw new FailedAttempt({ code: 'oversized', params: { limit } });
    received?.(piece.length);
    yield piece;
  }
}

async function* countBytes(body: AsyncIterable<Uint8Array>, { taken, signal }: FetchContext) {
  for await (const piece of body) {
    signal.throwIfAborted();
    taken?.(piece.length);
    yield piece;
  }
}
