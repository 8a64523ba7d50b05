/**
 * Every KB of the fixtures has one state, one date and one risk wherever it is shown. The mirror's KBs are tested in
 * one-truth-of-a-kb.long.ts.
 */
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { findFixtures, fixtureKeys } from '@patch/catalogue/testing/vendor-fixtures.ts';
import { expect, test } from 'vitest';
import { folderUpstream } from '../ingest/fetching/create-upstream.ts';
import { SyncBench } from '../ingest/testing/sync-bench.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { callAs } from '../testing/kb-calls.ts';
import { KbComparison } from '../testing/kb-comparison.ts';

const feed = vendorFeeds.wsus;
if (feed === undefined) throw new Error('The feed of Windows is not defined');

describeWithDatabase('KBs of the fixtures', (open) => {
  test('are the same in exports, records, identifier pages, chains, All patches, mails and for machines', async () => {
    const database = await open();
    const bench = await SyncBench.open(database);
    const root = findFixtures(feed);
    const run = await bench.sync(feed, {
      source: 'wsus',
      upstream: folderUpstream(root),
      trustedKeys: fixtureKeys(root),
      shrinkageShare: 100,
    });
    expect(run.state).toMatch(/^succeeded/);
    await bench.close();
    const comparison = new KbComparison(await callAs(database));
    await comparison.compareAll(database);
    expect(comparison.differences).toEqual([]);
    for (const name of [
      'CSV',
      'record',
      'chain',
      'identifier page',
      'All patches',
      'machine',
      'mail',
    ])
      expect(comparison.compared.get(name), name).toBeGreaterThan(0);
  });
});
