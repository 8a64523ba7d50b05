/** Compares syncs of every source from a filled folder with syncs from the feed mirror. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyFeed, Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { riskFeeds } from '@patch/catalogue/risk/risk-feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror, startFeedMirror } from '../../testing/feed-mirror.ts';
import { folderUpstream } from '../fetching/create-upstream.ts';
import { httpUpstream } from '../fetching/http-upstream.ts';
import type { Upstream } from '../fetching/upstream.ts';
import { forgetRisk, riskTables } from '../testing/risk-tables.ts';
import { SyncBench } from '../testing/sync-bench.ts';
import { forgetRows, readSyncedRows } from '../testing/synced-rows.ts';
import { vendorFolder } from '../testing/vendor-folder.ts';
import { resolveParts } from './chosen-parts.ts';
import { fillMirror } from './fill-mirror.ts';

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filled-'));
  database = await openMigrated();
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const isRisk = (source: string) => Object.hasOwn(riskFeeds, source);

/** Returns the records of a first sync from an upstream. */
async function recordsFrom(
  upstream: Upstream,
  source: SourceKey,
  feed: AnyFeed,
  trustedKeys: readonly string[],
): Promise<ReadonlyMap<string, string> | string> {
  const bench = await SyncBench.open(database);
  const run = await bench.sync(feed, { source, upstream, trustedKeys });
  await bench.close();
  expect(run.state, run.message).toMatch(/^succeeded/);
  const records = isRisk(source)
    ? JSON.stringify(await riskTables(database))
    : await readSyncedRows(database, feed as Feed);
  await (isRisk(source) ? forgetRisk(database) : forgetRows(database));
  return records;
}

describeWithMirror('a filled folder', (mirrorFolder) => {
  const feeds = Object.entries({ ...vendorFeeds, ...riskFeeds }) as [SourceKey, AnyFeed][];
  test.each(feeds)(
    'syncs %s as from the publisher, and is refilled with conditional requests',
    async (source, feed) => {
      const { root, trustedKeys } = isRisk(source)
        ? { root: mirrorFolder, trustedKeys: [] }
        : await vendorFolder(mirrorFolder, feed as Feed);
      const mirror = await startFeedMirror({ root });
      const upstream = httpUpstream(mirror.url);
      try {
        const fill = () =>
          fillMirror({
            folder,
            chosen: resolveParts(isRisk(source) ? riskFeeds : vendorFeeds, [source]),
            upstream,
            signal: new AbortController().signal,
            trustedKeys: () => Promise.resolve(trustedKeys),
            print: () => undefined,
          });
        const first = await fill();
        expect(first.documents).toBeGreaterThan(0);
        await mirror.forgetRequests();
        expect(await fill()).toMatchObject({ fresh: 0, documents: first.documents });
        const statuses = Object.values(await mirror.requests()).flatMap(({ status }) =>
          Object.keys(status),
        );
        expect(statuses).not.toContain('200');
        const published = await recordsFrom(upstream, source, feed, trustedKeys);
        const filled = await recordsFrom(folderUpstream(folder), source, feed, trustedKeys);
        expect(filled).toEqual(published);
        expect(typeof published === 'string' ? published.length : published.size).toBeGreaterThan(
          0,
        );
      } finally {
        upstream.close();
        await mirror.stop();
      }
    },
  );
});
