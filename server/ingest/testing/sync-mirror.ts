/** Syncs every source of the feed mirror, those of vendors before those of risk. */
import type { AnyFeed, Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { riskFeeds } from '@patch/catalogue/risk/risk-feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { folderUpstream } from '../fetching/create-upstream.ts';
import { SyncBench } from './sync-bench.ts';
import { vendorFolder } from './vendor-folder.ts';

/** Returns what failed, nothing when every run succeeded. @param now - Epoch milliseconds of the runs. */
export async function syncMirror(
  database: Database,
  mirror: string,
  now: number,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  const bench = await SyncBench.open(database);
  const feeds = Object.entries({ ...vendorFeeds, ...riskFeeds }) as [SourceKey, AnyFeed][];
  for (const [source, feed] of feeds) {
    const { root, trustedKeys } = Object.hasOwn(riskFeeds, source)
      ? { root: mirror, trustedKeys: [] }
      : await vendorFolder(mirror, feed as Feed);
    const upstream = folderUpstream(root);
    const run = await bench.sync(feed, { source, upstream, trustedKeys, now, shrinkageShare: 100 });
    if (!run.state.startsWith('succeeded')) failures.push(`${source}: ${run.message}`);
  }
  failures.push(...bench.errors);
  await bench.close();
  await refreshStaleCves(database);
  return failures;
}
