/** The route by which administrators ask whether the mirror of a source answers. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { testMirrorEndpoint } from '@patch/contract/source-settings-endpoints.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { oneDocumentUrl } from './feed-part-store.ts';
import { mirrorInForce } from './mirror-in-force.ts';
import { testUpstream } from './mirror-test.ts';
import { newestRuns } from './run-history-store.ts';
import { savedSettings } from './source-setting-store.ts';
import { requireFeed } from './start-errors.ts';
import { upstreamOf } from './upstream-of.ts';

export interface MirrorTestRoutes {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  /** Of the whole service, and whether the environment sets it. */
  readonly feedMirror: () => string | null;
  readonly isMirrorFixed: boolean;
  /** Milliseconds for the whole question; ten seconds when absent. */
  readonly limitMs?: number;
}

export function mirrorTestRoutes(
  route: RouteRegistrar,
  { database, feeds, feedMirror, isMirrorFixed, limitMs = 10_000 }: MirrorTestRoutes,
): void {
  route(testMirrorEndpoint, async ({ params: { source } }) => {
    const feed = requireFeed(feeds, source);
    const { mirror: ofSource } = await savedSettings(database, source);
    const general = feedMirror();
    const mirror = mirrorInForce({
      ofSource,
      ofEnvironment: isMirrorFixed ? general : null,
      ofConfiguration: isMirrorFixed ? null : general,
    });
    const run = (await newestRuns(database)).get(source);
    const url = failedUrl(run) ?? (await oneDocumentUrl(database, source)) ?? feed.homepage;
    const upstream = upstreamOf(mirror?.secretAddress ?? null);
    try {
      return {
        mirror: mirror && { address: mirror.address, setting: mirror.setting },
        url,
        ...(await testUpstream(upstream, url, limitMs)),
      };
    } finally {
      upstream.close();
    }
  });
}

/** The document for want of which the run failed. */
function failedUrl(run: Run | undefined): string | null {
  if (run?.message?.code !== 'failed') return null;
  const { cause } = run.message.params;
  return cause.code === 'not_fetched' || cause.code === 'not_published' ? cause.params.url : null;
}
