/** Runs every feed over its fixtures with one document changed at random; mutated-documents.long.ts has the full number. */
import { expect, test } from 'vitest';
import type { Feed } from './definition/feed.ts';
import { vendorFeeds } from './feeds.ts';
import type { SourceKey } from './sources.ts';
import { readMutated } from './testing/mutated-documents.ts';

const times = 12;

test.each(Object.entries(vendorFeeds) as [SourceKey, Feed][])(
  'reads or refuses each document of %s that changes at random',
  async (_source, feed) => {
    const { failures, read } = await readMutated(feed, times);
    expect(failures).toEqual([]);
    expect(read).toBeGreaterThan(times / 4);
  },
);
