/** Syncs one source from a mirror with its fixtures, which can fail and be changed. */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { fileInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { findFixtures, fixtureKeys } from '@patch/catalogue/testing/vendor-fixtures.ts';
import type { Database } from '../../platform/database/database.ts';
import { type RunningMirror, startFeedMirror } from '../../testing/feed-mirror.ts';
import { type HttpLimits, httpUpstream } from '../fetching/http-upstream.ts';
import type { RunWithTexts } from './run-with-texts.ts';
import { SyncBench } from './sync-bench.ts';
import { forgetRows, type Rows, readSyncedRows } from './synced-rows.ts';

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
    await cp(findFixtures(feed), root, { recursive: true });
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
    this.#trustedKeys = fixtureKeys(findFixtures(given.feed));
  }

  /** Reads the published document at a path. */
  async document(path: string): Promise<Buffer> {
    return readFile(join(this.#root, path));
  }

  /** Adds or replaces documents by their path in the mirror. */
  async publish(documents: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [path, content] of Object.entries(documents)) {
      const file = join(this.#root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  }

  /** Removes all data of syncs and all copies of documents. */
  async forget(): Promise<void> {
    await forgetRows(this.database);
    await this.#bench.close();
    this.#bench = await SyncBench.open(this.database);
  }

  /** Syncs with two attempts for each document and without waits. */
  async sync(limits: Partial<HttpLimits> = {}): Promise<RunWithTexts> {
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
    return readSyncedRows(this.database, this.feed);
  }

  /** Returns the addresses of copies that differ from the published document. */
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
