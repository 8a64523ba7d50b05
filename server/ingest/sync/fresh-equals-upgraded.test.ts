/**
 * The law: a database that synced one state of a vendor's publication and then another holds the same listed records as one that synced the
 * other from nothing. While withdrawals are held it holds these records more, and no others; once they are accepted it is equal.
 */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { type StateChain, stateChains } from '@patch/catalogue/testing/successors/state-chains.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { complaintsAbout } from './testing/upgraded-chain.ts';

const seed = Number(process.env['STATES_SEED'] ?? 20_261_122);

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

const sources = Object.entries(vendorFeeds) as [SourceKey, Feed][];
const counted = new Map<string, number>();

test.each(sources)('%s', { timeout: 300_000 }, async (source, feed) => {
  const complaints: string[] = [];
  for (const chain of await stateChains(feed, { seed, chains: 4, successors: 5 })) {
    count(source, chain);
    complaints.push(...(await complaintsAbout(database, source, feed, chain)));
  }
  expect(complaints, `STATES_SEED=${seed}`).toEqual([]);
});

test('there are 200 successor states or more', () => {
  const states = [...counted]
    .filter(([name]) => !name.includes(' '))
    .reduce((sum, [, many]) => sum + many, 0);
  process.stdout.write(
    `Successor states of seed ${seed}: ${states}; ${JSON.stringify(Object.fromEntries(counted))}\n`,
  );
  expect(states).toBeGreaterThanOrEqual(200);
});

function count(source: string, { successors }: StateChain): void {
  for (const { kind } of successors)
    for (const name of [source, `${source} ${kind}`])
      counted.set(name, (counted.get(name) ?? 0) + 1);
}
