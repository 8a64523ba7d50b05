/** Reports the newest data of the compared sources, and why newer records may be missing. */
import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import { feeds } from '@patch/catalogue/feeds.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import {
  type FreshnessFacts,
  freshnessText,
  getFreshness,
  isConcern,
} from '@patch/contract/sources/source-freshness.ts';
import { readUnreadParts } from '../ingest/parts/feed-part-store.ts';
import { readLastSuccesses, readListVersions } from '../ingest/runs/run-history-store.ts';
import {
  findUnreadPart,
  getFollowedParts,
  getOfferedParts,
} from '../ingest/sources/followed-parts.ts';
import { ReleaseHistories } from '../ingest/sources/release-histories.ts';
import {
  readAllSourceSettings,
  type SavedSettings,
  standardSettings,
} from '../ingest/sources/source-setting-store.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { ComparedList } from './machine-findings.ts';

const histories = new WeakMap<Queryable, ReleaseHistories>();

function getHistories(database: Queryable): ReleaseHistories {
  const known = histories.get(database) ?? new ReleaseHistories(database);
  histories.set(database, known);
  return known;
}

/**
 * Returns one entry for each source of the lists.
 * @throws DatabaseError
 */
export async function compareSources(
  { database, clock }: { readonly database: Queryable; readonly clock: () => number },
  compared: readonly ComparedList[],
): Promise<Assessment['sources']> {
  if (compared.length === 0) return [];
  const [succeeded, versions, settings, leftUnread] = await Promise.all([
    readLastSuccesses(database),
    readListVersions(database),
    readAllSourceSettings(database),
    readUnreadParts(database),
  ]);
  const now = clock();
  const revisions = new Map([...versions].map(([list, { revision }]) => [list, revision]));
  const bySource = Map.groupBy(compared, ({ list }) => getList(list).source as SourceKey);
  return Promise.all(
    [...bySource].map(async ([service, lists]) => {
      const facts: FreshnessFacts = {
        available: true,
        enabled: settings.get(service)?.enabled ?? true,
        lastSuccessAt: succeeded.get(service) ?? null,
        unread: findUnreadPart(
          findComparedParts(service, lists, settings.get(service) ?? standardSettings),
          leftUnread.get(service),
        ),
        releases: await getHistories(database).read(service, revisions, {
          now,
          underWay: true,
          only: lists.map(({ list }) => list),
        }),
      };
      const freshness = getFreshness(facts, now);
      return {
        service,
        label: sourceLabels[service] ?? service,
        upTo: facts.releases.newest?.releaseDate ?? null,
        concern: isConcern(freshness) || freshness === 'off' ? freshnessText(facts, now) : null,
        lastSuccessAt: facts.lastSuccessAt,
      };
    }),
  );
}

/** Returns the compared parts, whether they are followed or not; all followed parts if the part is unknown. */
function findComparedParts(
  source: SourceKey,
  compared: readonly ComparedList[],
  settings: SavedSettings,
): readonly AnyPart[] {
  const feed = feeds[source];
  if (feed === undefined) return [];
  return compared.flatMap(({ part }) =>
    part === null
      ? getFollowedParts(feed, settings)
      : getOfferedParts(feed, settings.added).flatMap((one) =>
          one.part.key === part ? [one.part] : [],
        ),
  );
}
