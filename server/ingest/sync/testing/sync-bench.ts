/** Runs feeds in tests: a writable mirror folder, a cache, and runs against a database. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type Copy, DocumentCache } from '../document-cache.ts';
import { Fetcher, type FetcherOptions } from '../fetcher.ts';
import { folderUpstream } from '../folder-upstream.ts';
import { runFeed } from '../run-feed.ts';
import { addRun, endRun, readRun, takeRun } from '../run-store.ts';
import { RunningRun } from '../running-run.ts';
import type { Upstream } from '../upstream.ts';
import { type RunWithTexts, toRunWithTexts } from './run-with-texts.ts';

export class SyncBench {
  readonly database: Database;
  readonly folder: string;
  readonly errors: unknown[] = [];
  readonly #cache: DocumentCache;

  static async open(database: Database): Promise<SyncBench> {
    const folder = await mkdtemp(join(tmpdir(), 'sync-'));
    const cache = new DocumentCache(join(folder, 'cache'));
    await cache.prepare();
    return new SyncBench(database, folder, cache);
  }

  private constructor(database: Database, folder: string, cache: DocumentCache) {
    this.database = database;
    this.folder = folder;
    this.#cache = cache;
  }

  /** Writes a document to the mirror folder; null removes it. */
  async publish(address: string, content: unknown): Promise<void> {
    const file = join(this.folder, 'mirror', address);
    await mkdir(dirname(file), { recursive: true });
    if (content === null) await rm(file, { force: true });
    else
      await writeFile(
        file,
        typeof content === 'string' || content instanceof Uint8Array
          ? content
          : JSON.stringify(content),
      );
  }

  /** Runs the feed and returns the stored run. */
  async sync(
    feed: AnyFeed,
    options: {
      readonly source?: SourceKey;
      readonly upstream?: Upstream;
      readonly fetching?: FetcherOptions;
      readonly trustedKeys?: readonly string[];
      readonly shrinkageShare?: number;
      /** Current time of the feed, in epoch milliseconds. */
      readonly now?: number;
      readonly whileRunning?: (running: RunningRun) => void;
    } = {},
  ): Promise<RunWithTexts> {
    const { database } = this;
    const added = await addRun(database, options.source ?? 'almaLinux', 'tester', Date.now());
    const run = added && (await takeRun(database, added.id, Date.now()));
    if (run === null) throw new Error('another run is active');
    const running = new RunningRun(database, run);
    options.whileRunning?.(running);
    const fetcher = new Fetcher(
      options.upstream ?? folderUpstream(join(this.folder, 'mirror')),
      this.#cache,
      {
        sleep: async () => undefined,
        ...options.fetching,
      },
    );
    const { end } = await runFeed({
      database,
      feed,
      fetcher,
      running,
      spoolFolder: join(this.folder, 'spool'),
      trustedKeys: options.trustedKeys ?? [],
      ...(options.shrinkageShare !== undefined && { shrinkageShare: options.shrinkageShare }),
      ...(options.now !== undefined && { now: () => options.now ?? 0 }),
      onError: (error) => this.errors.push(error),
    });
    await endRun(database, run.id, end, Date.now());
    const ended = await readRun(database, run.id);
    if (ended === null) throw new Error('the run is gone');
    return toRunWithTexts(ended);
  }

  /** Returns the cached copies of documents. */
  async copies(): Promise<Copy[]> {
    const folder = join(this.folder, 'cache', 'copies');
    const files = await readdir(folder);
    return Promise.all(
      files.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Copy),
    );
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
