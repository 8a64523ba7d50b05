/** One source on a stage of its own: its vendor's fixtures on a mirror that can fail and be written to, and a bench to sync it on. */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { fileInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { fixtureKeys, fixturesOf } from '@patch/catalogue/testing/vendor-fixtures.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type RunningMirror, startFeedMirror } from '../../../testing/feed-mirror.ts';
import { type HttpLimits, httpUpstream } from '../http-upstream.ts';
import { SyncBench } from './sync-bench.ts';
import { forgetRows, type Rows, rowsOf } from './synced-rows.ts';
import type { ToldRun } from './told-run.ts';

/** The day on which the fixtures were published. */
const fixtureDay = Date.UTC(2026, 10, 12, 9);

const patient: HttpLimits = { answer: 10_000, silence: 5000, total: 30_000 };

export class VendorStage {
  readonly source: SourceKey;
  readonly feed: Feed;
  readonly mirror: RunningMirror;
  readonly database: Database;
  readonly #root: string;
  readonly #trustedKeys: readonly string[];
  #bench: SyncBench;

  static async open(database: Database, source: SourceKey, feed: Feed): Promise<VendorStage> {
    const root = await mkdtemp(join(tmpdir(), 'vendor-'));
    const [mirror, bench] = await Promise.all([
      startFeedMirror({ root }),
      SyncBench.open(database),
    ]);
    await cp(fixturesOf(feed), root, { recursive: true });
    return new VendorStage({ database, source, feed, root, mirror, bench });
  }

  private constructor(
    given: Pick<VendorStage, 'database' | 'source' | 'feed' | 'mirror'> & {
      root: string;
      bench: SyncBench;
    },
  ) {
    this.database = given.database;
    this.source = given.source;
    this.feed = given.feed;
    this.mirror = given.mirror;
    this.#root = given.root;
    this.#bench = given.bench;
    this.#trustedKeys = fixtureKeys(fixturesOf(given.feed));
  }

  /** What the vendor publishes at that path. */
  async document(path: string): Promise<Buffer> {
    return readFile(join(this.#root, path));
  }

  /** Lays documents over those that are published, by their path in a mirror. */
  async publish(documents: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [path, content] of Object.entries(documents)) {
      const file = join(this.#root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  }

  /** As if the source had never been synced: nothing in the database, no copy of a document. */
  async forget(): Promise<void> {
    await forgetRows(this.database, this.feed);
    await this.#bench.close();
    this.#bench = await SyncBench.open(this.database);
  }

  /** Two tries and no waits between them. */
  async sync(limits: Partial<HttpLimits> = {}): Promise<ToldRun> {
    const upstream = httpUpstream(this.mirror.url, { ...patient, ...limits });
    try {
      const { source, feed } = this;
      const run = await this.#bench.sync(feed, {
        source,
        upstream,
        fetching: { tries: 2 },
        trustedKeys: this.#trustedKeys,
        now: fixtureDay,
      });
      const [error] = this.#bench.errors;
      if (error !== undefined)
        throw new Error('This program failed, not the vendor', { cause: error });
      return run;
    } finally {
      upstream.close();
    }
  }

  rows(): Promise<Rows> {
    return rowsOf(this.database, this.feed);
  }

  /** Addresses whose copy here is not what the vendor publishes now. */
  async staleCopies(): Promise<string[]> {
    const stale: string[] = [];
    for (const { url, sha256 } of await this.#bench.copies()) {
      const file = await fileInMirror(this.#root, url);
      const published =
        file === null
          ? null
          : createHash('sha256')
              .update(await readFile(file))
              .digest('hex');
      if (published !== null && published !== sha256) stale.push(url);
    }
    return stale;
  }

  async close(): Promise<void> {
    await this.mirror.stop();
    await this.#bench.close();
    await rm(this.#root, { recursive: true, force: true });
  }
}
