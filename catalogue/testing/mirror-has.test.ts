import { expect, test } from 'vitest';
import { debianFeed } from '../vendors/debian/debian-feed.ts';
import { opensuseFeed } from '../vendors/opensuse/opensuse-feed.ts';
import { mirrorHas } from './mirror-has.ts';
import { fixturesOf } from './vendor-fixtures.ts';

test('a folder has a feed when it holds what any of its parts asks for first', async () => {
  // Of openSUSE the fixtures hold the later of its releases only.
  for (const feed of [debianFeed, opensuseFeed])
    expect(await mirrorHas(fixturesOf(feed), feed)).toBe(true);
  expect(await mirrorHas(fixturesOf(debianFeed), opensuseFeed)).toBe(false);
});
