/** A fetcher for tests with its own cache, and with a clock that waits advance without delay. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyReadText } from '@patch/contract/sources/run-message-text.ts';
import { DocumentCache } from '../fetching/document-cache.ts';
import { type FetchContext, Fetcher, type FetcherOptions } from '../fetching/fetcher.ts';
import type { Upstream } from '../fetching/upstream.ts';

export class FetchBench {
  readonly folder: string;
  readonly cache: DocumentCache;
  /** Milliseconds of each wait, in their order. */
  readonly waits: number[] = [];
  readonly warnings: string[] = [];

  static async open(): Promise<FetchBench> {
    const folder = await mkdtemp(join(tmpdir(), 'fetcher-'));
    const bench = new FetchBench(folder, new DocumentCache(join(folder, 'cache')));
    await bench.cache.prepare();
    return bench;
  }

  private constructor(folder: string, cache: DocumentCache) {
    this.folder = folder;
    this.cache = cache;
  }

  /** Creates a fetcher whose clock starts on 20 November 2026 at 10:00 UTC. */
  fetcherOver(upstream: Upstream, options: FetcherOptions = {}): Fetcher {
    let time = Date.parse('2026-11-20T10:00:00Z');
    return new Fetcher(upstream, this.cache, {
      now: () => time,
      random: () => 1,
      sleep: async (milliseconds) => {
        this.waits.push(milliseconds);
        time += milliseconds;
      },
      ...options,
    });
  }

  context(signal: AbortSignal = new AbortController().signal): FetchContext {
    return {
      signal,
      copyRead: (cause, fetchedAt) => void this.warnings.push(copyReadText(cause, fetchedAt)),
    };
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
