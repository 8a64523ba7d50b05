/** Each source of the feed mirror arrives in its test, as it does in its sync. */
import { isRiskFeed } from '@patch/catalogue/definition/feed.ts';
import { feeds } from '@patch/catalogue/feeds.ts';
import { expect, test } from 'vitest';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { vendorFolder } from '../testing/vendor-folder.ts';
import { folderUpstream } from './create-upstream.ts';
import { testParts } from './mirror-test.ts';

describeWithMirror('the first document of a sync', (mirror) => {
  test.each(Object.entries(feeds))('arrives: %s', async (_source, feed) => {
    const root = isRiskFeed(feed) ? mirror : (await vendorFolder(mirror, feed)).root;
    const found = await testParts(folderUpstream(root), feed.parts, 10_000);
    expect(found?.url).toMatch(/^https:/);
    expect(found).toMatchObject({ problem: null, format: expect.any(String) });
  });
});
