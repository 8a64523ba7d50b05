/**
 * A strong fault against every source on the vendors' real documents: large ones, by the dozen, of which a few are odd in themselves.
 * A source that the feed mirror lacks is read from its fixtures.
 */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror, startFeedMirror } from '../../testing/feed-mirror.ts';
import { httpUpstream } from './http-upstream.ts';
import { expectReadable } from './testing/readable-run.ts';
import { SyncBench } from './testing/sync-bench.ts';
import { expectBetween, forgetRows, rowsOf } from './testing/synced-rows.ts';
import { vendorFolder } from './testing/vendor-folder.ts';

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

describeWithMirror('on the feed mirror', (folder) => {
  describe.each(Object.entries(vendorFeeds) as [SourceKey, Feed][])('%s', (source, feed) => {
    // Three whole syncs; the largest source takes its time on a busy machine.
    test('half of each document: nothing wrong is written, and the next sync brings all', {
      timeout: 240_000,
    }, async () => {
      const { root, trustedKeys } = await vendorFolder(folder, feed);
      const mirror = await startFeedMirror({ root });
      onTestFinished(() => mirror.stop());
      const sync = async (bench: SyncBench) => {
        const upstream = httpUpstream(mirror.url);
        try {
          return await bench.sync(feed, { source, upstream, fetching: { tries: 2 }, trustedKeys });
        } finally {
          upstream.close();
        }
      };
      await forgetRows(database, feed);
      const healthy = await SyncBench.open(database);
      const { state, message, warnings, rejected } = await sync(healthy);
      await healthy.close();
      const truth = await rowsOf(database, feed);
      expect(truth.size).toBeGreaterThan(0);

      await forgetRows(database, feed);
      const bench = await SyncBench.open(database);
      await mirror.fail({ match: '', kind: 'truncate', value: 0.5 });
      expectReadable(await sync(bench), /broke off after/, feed);
      expectBetween(await rowsOf(database, feed), new Map(), truth);
      await mirror.fail();
      expect(await sync(bench)).toMatchObject({ state, message, warnings, rejected });
      expect(await rowsOf(database, feed)).toEqual(truth);
      expect(bench.errors).toEqual([]);
      await bench.close();
    });
  });
});
