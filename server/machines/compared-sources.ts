/** Up to which day the data of sources reach, and why newer records may be lacking. */
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import {
  type FreshnessFacts,
  freshnessOf,
  freshnessText,
  isConcern,
} from '@patch/contract/source-freshness.ts';
import { ReleaseHistories } from '../ingest/sync/release-histories.ts';
import { lastSuccesses, listVersions } from '../ingest/sync/run-history-store.ts';
import { allSavedSettings } from '../ingest/sync/source-setting-store.ts';
import type { Queryable } from '../platform/database/database.ts';

const histories = new WeakMap<Queryable, ReleaseHistories>();

function historiesOf(database: Queryable): ReleaseHistories {
  const known = histories.get(database) ?? new ReleaseHistories(database);
  histories.set(database, known);
  return known;
}

/** Rejects with a DatabaseError. */
export async function comparedSources(
  { database, clock }: { readonly database: Queryable; readonly clock: () => number },
  sources: readonly string[],
): Promise<Assessment['sources']> {
  if (sources.length === 0) return [];
  const [succeeded, versions, settings] = await Promise.all([
    lastSuccesses(database),
    listVersions(database),
    allSavedSettings(database),
  ]);
  const now = clock();
  const revisions = new Map([...versions].map(([list, { revision }]) => [list, revision]));
  return Promise.all(
    (sources as readonly SourceKey[]).map(async (service) => {
      const facts: FreshnessFacts = {
        available: true,
        enabled: settings.get(service)?.enabled ?? true,
        lastSuccessAt: succeeded.get(service) ?? null,
        releases: await historiesOf(database).of(service, revisions, { now, underWay: true }),
      };
      const freshness = freshnessOf(facts, now);
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
