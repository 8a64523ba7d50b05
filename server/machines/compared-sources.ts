/** Up to which day the data of sources reach, and why newer records may be lacking. */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import {
  type FreshnessFacts,
  freshnessOf,
  freshnessText,
  isConcern,
} from '@patch/contract/source-freshness.ts';
import { partsLeftUnread } from '../ingest/sync/feed-part-store.ts';
import { ReleaseHistories } from '../ingest/sync/release-histories.ts';
import { lastSuccesses, listVersions } from '../ingest/sync/run-history-store.ts';
import { allSavedSettings } from '../ingest/sync/source-setting-store.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { ComparedList } from './machine-findings.ts';

const histories = new WeakMap<Queryable, ReleaseHistories>();

function historiesOf(database: Queryable): ReleaseHistories {
  const known = histories.get(database) ?? new ReleaseHistories(database);
  histories.set(database, known);
  return known;
}

/** By the source of the lists. Rejects with a DatabaseError. */
export async function comparedSources(
  { database, clock }: { readonly database: Queryable; readonly clock: () => number },
  compared: readonly ComparedList[],
): Promise<Assessment['sources']> {
  if (compared.length === 0) return [];
  const [succeeded, versions, settings] = await Promise.all([
    lastSuccesses(database),
    listVersions(database),
    allSavedSettings(database),
  ]);
  const now = clock();
  const revisions = new Map([...versions].map(([list, { revision }]) => [list, revision]));
  const bySource = Map.groupBy(compared, ({ list }) => listOfKey(list).source as SourceKey);
  return Promise.all(
    [...bySource].map(async ([service, lists]) => {
      const facts: FreshnessFacts = {
        available: true,
        enabled: settings.get(service)?.enabled ?? true,
        lastSuccessAt: oldest(
          succeeded.get(service) ?? null,
          await partsLeftUnread(database, service),
          lists,
        ),
        releases: await historiesOf(database).of(service, revisions, {
          now,
          underWay: true,
          only: lists.map(({ list }) => list),
        }),
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

/** A part that the last runs could not read is as old as its last reading, whatever else of its source was read. */
function oldest(
  lastSuccess: number | null,
  leftUnread: ReadonlyMap<string, number>,
  compared: readonly ComparedList[],
): number | null {
  const parts = compared.flatMap(({ part }) => (part === null ? [...leftUnread.keys()] : part));
  const times = parts.flatMap((part) => leftUnread.get(part) ?? []);
  return lastSuccess === null ? null : Math.min(lastSuccess, ...times);
}
