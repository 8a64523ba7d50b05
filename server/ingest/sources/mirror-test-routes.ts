/** The endpoint by which administrators test the mirror of a source. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import { testMirrorEndpoint } from '@patch/contract/sources/source-settings-endpoints.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { createUpstream, getEffectiveMirror } from '../fetching/create-upstream.ts';
import { testDocument, testParts } from '../fetching/mirror-test.ts';
import { readNewestRuns } from '../runs/run-history-store.ts';
import { getFollowedParts } from './followed-parts.ts';
import { readSourceSettings } from './source-setting-store.ts';
import { requireFeed } from './start-errors.ts';

export interface MirrorTestRoutes {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  /** The mirror of the service. */
  readonly feedMirror: () => string | null;
  /** The environment sets the mirror of the service. */
  readonly isMirrorFixed: boolean;
  /** Time limit of the test; 10,000 by default. */
  readonly limitMs?: number;
}

export function mirrorTestRoutes(
  route: RouteRegistrar,
  { database, feeds, feedMirror, isMirrorFixed, limitMs = 10_000 }: MirrorTestRoutes,
): void {
  route(testMirrorEndpoint, async ({ params: { source } }) => {
    const feed = requireFeed(feeds, source);
    const settings = await readSourceSettings(database, source);
    const general = feedMirror();
    const mirror = getEffectiveMirror({
      source: settings.mirror,
      environment: isMirrorFixed ? general : null,
      configuration: isMirrorFixed ? null : general,
    });
    const run = (await readNewestRuns(database)).get(source);
    const failed = failedUrl(run);
    const upstream = createUpstream(mirror?.secretAddress ?? null);
    try {
      const found =
        failed === null
          ? await testParts(upstream, getFollowedParts(feed, settings), limitMs)
          : await testDocument(upstream, failed, { limitMs });
      if (found === null)
        throw new AppError(
          'nothing_followed',
          `No part of ${sourceLabels[source]} is synced. Include one in its settings first.`,
        );
      return { mirror: mirror && { address: mirror.address, setting: mirror.setting }, ...found };
    } finally {
      upstream.close();
    }
  });
}

/** Returns the address of the document that made the run fail, or null. */
function failedUrl(run: Run | undefined): string | null {
  if (run?.message?.code !== 'failed') return null;
  const { cause } = run.message.params;
  return cause.code === 'not_fetched' || cause.code === 'not_published' ? cause.params.url : null;
}
