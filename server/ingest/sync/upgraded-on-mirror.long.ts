/**
 * Applies fresh-equals-upgraded.test.ts to documents of vendors. A vendor first publishes its fixtures, then its documents in the feed
 * mirror, and of its fixtures those that the mirror lacks: a repository that is gone would keep its records. Microsoft then publishes the
 * small scan file of the edge cases.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { findFixtures, fixtureKeys } from '@patch/catalogue/testing/vendor-fixtures.ts';
import { readKeys } from 'openpgp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { folderUpstream } from '../fetching/create-upstream.ts';
import type { Upstream } from '../fetching/upstream.ts';
import {
  contentDifferences,
  type ListedContents,
  listedContents,
} from '../testing/listed-content.ts';
import { acceptQuarantine, quarantineOfSource } from '../testing/quarantine-of-source.ts';
import { SyncBench } from '../testing/sync-bench.ts';
import { forgetRows } from '../testing/synced-rows.ts';
import { vendorFolder } from '../testing/vendor-folder.ts';

const MonthIndex = z.object({ value: z.array(z.looseObject({ ID: z.string() })) });

const firstDay = Date.UTC(2026, 10, 12, 9);
const day = 24 * 60 * 60 * 1000;

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

/** Serves each address from the first folder that has it, with the same origin for all folders. */
function foldersUpstream(folders: readonly string[]): Upstream {
  const upstreams = folders.map((folder) => folderUpstream(folder));
  return {
    origin: 'memory:',
    async request(url, have, signal) {
      for (const upstream of upstreams) {
        const answer = await upstream.request(url, have, signal);
        if (answer.kind !== 'absent') return answer;
      }
      return { kind: 'absent' };
    },
    close() {},
  };
}

/** Writes an index of Microsoft's guide with the months of both folders: a month that is no longer listed would keep its records. */
function writeIndexOfBoth(root: string, fixtures: string): string {
  const folder = temporaryFolder();
  const path = 'api.msrc.microsoft.com/cvrf/v3.0/updates';
  const months = [fixtures, root].flatMap(
    (from) => MonthIndex.parse(JSON.parse(readFileSync(join(from, path), 'utf8'))).value,
  );
  const value = [...new Map(months.map((month) => [month.ID, month])).values()];
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify({ value }));
  return folder;
}

/** Reads the keys with which indexes of the mirror are signed. */
async function readMirrorKeys(mirror: string): Promise<readonly string[]> {
  const folder = join(mirror, 'keys');
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  const keys = await Promise.all(files.map((binaryKeys) => readKeys({ binaryKeys })));
  return keys.flat().map((key) => key.armor());
}

describeWithMirror('on the feed mirror', (mirror) => {
  test.each(Object.entries(vendorFeeds) as [SourceKey, Feed][])(
    'lists the same records of %s as a database that reads only the mirror',
    async (source, feed) => {
      const { root, trustedKeys } = await vendorFolder(mirror, feed);
      const fixtures = findFixtures(feed);
      const smallScan = join(mirror, 'edge-cases/windows/overlay-small-cab');
      const windows = source === 'wsus' ? [writeIndexOfBoth(root, fixtures)] : [];
      const later = [...windows, root, fixtures];
      const states = [[fixtures], later, ...windows.map(() => [smallScan, ...later])];
      const keys = [...trustedKeys, ...fixtureKeys(fixtures), ...(await readMirrorKeys(mirror))];
      const sync = async (bench: SyncBench, index: number) => {
        const run = await bench.sync(feed, {
          source,
          upstream: foldersUpstream(states[index] ?? []),
          trustedKeys: keys,
          now: firstDay + index * day,
          shrinkageShare: 100,
        });
        expect(run.state, run.message).toMatch(/^succeeded/);
        expect(bench.errors).toEqual([]);
      };
      const fresh: ListedContents[] = [];
      for (const index of states.keys()) {
        await forgetRows(database);
        const bench = await SyncBench.open(database);
        await sync(bench, index);
        await bench.close();
        fresh.push(await listedContents(database, feed));
      }
      await forgetRows(database);
      const bench = await SyncBench.open(database);
      for (const index of states.keys()) {
        await sync(bench, index);
        for (let decision = 0; decision < 4; decision++) {
          const quarantine = await quarantineOfSource(database, source, feed);
          if (quarantine.entries.length === 0) break;
          await acceptQuarantine(database, source, quarantine);
          await sync(bench, index);
        }
        const expected = fresh[index] ?? new Map();
        expect(expected.size).toBeGreaterThan(0);
        const differences = contentDifferences(await listedContents(database, feed), expected);
        expect([...differences].slice(0, 5)).toEqual([]);
      }
      await bench.close();
    },
  );
});
