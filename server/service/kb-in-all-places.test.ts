/**
 * Every KB of the fixtures has one state, one date and one risk wherever it is shown. The mirror's KBs are tested in
 * one-truth-of-a-kb.long.ts.
 */
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { findFixtures, fixtureKeys } from '@patch/catalogue/testing/vendor-fixtures.ts';
import { expect, test } from 'vitest';
import { folderUpstream } from '../ingest/sync/folder-upstream.ts';
import { SyncBench } from '../ingest/sync/testing/sync-bench.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { callAs } from '../testing/kb-calls.ts';
import { KbComparison } from '../testing/kb-comparison.ts';

const feed = vendorFeeds.wsus;
if (feed === undefined) throw new Error('There is no feed of Windows');

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
    const places = new KbComparison(await callAs(database));
    await places.compareAll(database);
    expect(places.differences).toEqual([]);
    for (const place of [
      'CSV',
      'record',
      'chain',
      'identifier page',
      'All patches',
      'machine',
      'mail',
    ])
      expect(places.compared.get(place), place).toBeGreaterThan(0);
  });
});
