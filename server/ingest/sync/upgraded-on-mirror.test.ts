/**
 * The law of fresh-equals-upgraded.test.ts on the vendors' real documents: first a state that lacks a share of their records, then all of
 * them. A source that the feed mirror lacks is read from its fixtures.
 */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { chanceOf } from '@patch/catalogue/testing/chance.ts';
import {
  type PublishedState,
  publishedAt,
} from '@patch/catalogue/testing/successors/published-state.ts';
import { reducedState } from '@patch/catalogue/testing/successors/reduced-state.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { contentDifferences, listedContents } from './testing/listed-content.ts';
import { stateUpstream } from './testing/state-upstream.ts';
import { SyncBench } from './testing/sync-bench.ts';
import { forgetRows } from './testing/synced-rows.ts';
import { vendorFolder } from './testing/vendor-folder.ts';

const seed = Number(process.env['STATES_SEED'] ?? 1);
const now = Date.UTC(2026, 10, 12, 9);
const day = 24 * 60 * 60 * 1000;

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

describeWithMirror('on the feed mirror', (mirror) => {
  test.each(Object.entries(vendorFeeds) as [SourceKey, Feed][])(
    `%s (STATES_SEED=${seed})`,
    { timeout: 600_000 },
    async (source, feed) => {
      const { root, trustedKeys } = await vendorFolder(mirror, feed);
      const whole = await publishedAt(root, feed, now, trustedKeys);
      const sync = async (bench: SyncBench, state: PublishedState, time: number) => {
        // Some of the vendors' documents open to far more than they are.
        const run = await bench.sync(feed, {
          source,
          upstream: stateUpstream(state),
          trustedKeys: state.trustedKeys,
          now: time,
          shrinkageShare: 100,
        });
        expect(run.state, run.message).toMatch(/^succeeded/);
        expect(bench.errors).toEqual([]);
      };
      await forgetRows(database, feed);
      const fromNothing = await SyncBench.open(database);
      await sync(fromNothing, whole, now + day);
      await fromNothing.close();
      const fresh = await listedContents(database, feed);
      expect(fresh.size).toBeGreaterThan(0);

      await forgetRows(database, feed);
      const bench = await SyncBench.open(database);
      await sync(
        bench,
        await reducedState(feed, whole, { now, wholeAt: now + day, share: 0.2 }, chanceOf(seed)),
        now,
      );
      const earlier = await listedContents(database, feed);
      expect(contentDifferences(earlier, fresh).size).toBeGreaterThan(0);
      await sync(bench, whole, now + day);
      await bench.close();
      const differences = contentDifferences(await listedContents(database, feed), fresh);
      expect([...differences].slice(0, 5)).toEqual([]);
    },
  );
});
