/** Compares every synced CVSS score of vendors with a plain reading of the documents in the feed mirror. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { findFixtures } from '@patch/catalogue/testing/vendor-fixtures.ts';
import { oraclelinuxFeed } from '@patch/catalogue/vendors/oraclelinux/oraclelinux-feed.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { folderUpstream } from '../fetching/create-upstream.ts';
import {
  type PlainScore,
  plainMicrosoftScores,
  plainOracleScores,
  plainRockyScores,
} from '../testing/plain-vendor-scores.ts';
import { SyncBench } from '../testing/sync-bench.ts';

const StoredRow = z.object({
  cve: z.string(),
  version: z.string(),
  score: z.number(),
  vector: z.string().nullable(),
  identifier: z.string(),
  releaseDate: z.number().nullable(),
});
const ListedRow = z.object({ identifier: z.string(), releaseDate: z.number().nullable() });

const getVersion = (vector: string) => /^CVSS:(\d\.\d)/.exec(vector)?.[1] ?? '2.0';

describeWithMirror('vendor scores of the feed mirror', (mirror) => {
  // The repositories in the mirror contain none of the advisories that Oracle scores there.
  const getRoot = (source: SourceKey) =>
    source === 'oracleLinux' ? findFixtures(oraclelinuxFeed) : mirror;
  const failures: string[] = [];
  let database: Database;
  beforeAll(async () => {
    database = await openMigrated();
    const bench = await SyncBench.open(database);
    for (const source of ['wsus', 'rockyLinux', 'oracleLinux'] as const) {
      const root = getRoot(source);
      const run = await bench.sync(vendorFeeds[source] as Feed, {
        source,
        upstream: folderUpstream(root),
        now: Date.UTC(2026, 7, 14),
        shrinkageShare: 100,
      });
      if (!run.state.startsWith('succeeded')) failures.push(`${source}: ${run.message}`);
    }
    await bench.close();
  }, 600_000);
  afterAll(() => database.close());

  test.each([
    ['patch_repository', 'wsus', plainMicrosoftScores, 1000],
    ['rockylinux_patch', 'rockyLinux', plainRockyScores, 500],
    ['oracle_linux_patch', 'oracleLinux', plainOracleScores, 2],
  ] as const)(
    'stores all scores of %s, the highest for each version',
    async (list, source, read, least) => {
      expect(failures).toEqual([]);
      const listed = await queryRows(
        database,
        ListedRow,
        'select identifier, min(release_date) as "releaseDate" from record where list = $1 group by identifier',
        [list],
      );
      const dates = new Map(listed.map(({ identifier, releaseDate }) => [identifier, releaseDate]));
      const stated = (await read(getRoot(source))).filter(({ record }) => dates.has(record));
      const byScore = Map.groupBy(stated, ({ cve, vector }) => `${cve} ${getVersion(vector)}`);
      const expected = new Map(
        [...byScore].map(([key, scores]) => [
          key,
          findHighest(scores, (record) => dates.get(record)),
        ]),
      );
      const stored = await queryRows(
        database,
        StoredRow,
        `select upper(vendor_score.cve_folded) as cve, version, score, vector, identifier, vendor_score.release_date as "releaseDate"
       from vendor_score join record using (list, record_id) where list = $1`,
        [list],
      );
      const different = stored.flatMap((row) => {
        const plain = expected.get(`${row.cve} ${row.version}`);
        expected.delete(`${row.cve} ${row.version}`);
        const isSame =
          plain !== undefined &&
          plain.score === row.score &&
          plain.vectors.has(row.vector ?? '') &&
          plain.records.has(row.identifier) &&
          plain.releaseDate === row.releaseDate;
        return isSame ? [] : [{ row, plain }];
      });
      expect(different.length, JSON.stringify(different.slice(0, 3), plainSets)).toBe(0);
      expect([...expected.keys()]).toEqual([]);
      expect(stored.length).toBeGreaterThanOrEqual(least);
    },
  );
});

const plainSets = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** Returns the highest score, and the records that were released first among those that state it. */
function findHighest(
  scores: readonly PlainScore[],
  findDate: (record: string) => number | null | undefined,
) {
  const score = Math.max(...scores.map((each) => each.score));
  const highest = scores.filter((each) => each.score === score);
  const dates = highest.map(({ record }) => findDate(record) ?? Infinity);
  const first = Math.min(...dates);
  const earliest = highest.filter((_, index) => dates[index] === first);
  return {
    score,
    vectors: new Set(earliest.map(({ vector }) => vector)),
    records: new Set(earliest.map(({ record }) => record)),
    releaseDate: first === Infinity ? null : first,
  };
}
