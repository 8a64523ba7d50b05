/** Runs feeds in tests: a writable mirror folder, a cache, and runs against a database. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { afterEach, beforeEach } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { folderUpstream } from '../fetching/create-upstream.ts';
import { type Copy, DocumentCache } from '../fetching/document-cache.ts';
import { Fetcher, type FetcherOptions } from '../fetching/fetcher.ts';
import type { Upstream } from '../fetching/upstream.ts';
import { addRun, endRun, readRun, takeRun } from '../runs/run-store.ts';
import { RunningRun } from '../runs/running-run.ts';
import { runFeed } from '../sync/run-feed.ts';
import { type RunWithTexts, toRunWithTexts } from './run-with-texts.ts';
import type { SmallRecord } from './small-feed.ts';

/** Describes tests with a bench that has a fresh database and folder for each of them. */
export function describeWithBench(name: string, tests: (bench: SyncBench) => void): void {
  describeWithDatabase(name, (open) => {
    const bench = new SyncBench();
    beforeEach(async () => bench.begin(await open()));
    afterEach(() => bench.close());
    tests(bench);
  });
}

export class SyncBench {
  database!: Database;
  folder = '';
  errors: unknown[] = [];
  #cache!: DocumentCache;

  static async open(database: Database): Promise<SyncBench> {
    const bench = new SyncBench();
    await bench.begin(database);
    return bench;
  }

  async begin(database: Database): Promise<void> {
    this.database = database;
    this.folder = await mkdtemp(join(tmpdir(), 'sync-'));
    this.errors = [];
    this.#cache = new DocumentCache(join(this.folder, 'cache'));
    await this.#cache.prepare();
  }

  /** Publishes a part of the small feed; null removes it. */
  publishPart(
    part: string,
    content: readonly SmallRecord[] | string | Uint8Array | null,
  ): Promise<void> {
    return this.publish(`small.example/${part}.json`, content);
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
