/** The folder that stands for a source's vendor: the feed mirror where it has the source, else the feed's own fixtures. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { mirrorHas } from '@patch/catalogue/testing/mirror-has.ts';
import { fixtureKeys, fixturesOf } from '@patch/catalogue/testing/vendor-fixtures.ts';

export interface VendorFolder {
  readonly root: string;
  /** Fixtures of signed indexes are signed with a key of their own: armored, public. */
  readonly trustedKeys: readonly string[];
}

export async function vendorFolder(mirror: string, feed: Feed): Promise<VendorFolder> {
  if (await mirrorHas(mirror, feed)) return { root: mirror, trustedKeys: [] };
  const root = fixturesOf(feed);
  return { root, trustedKeys: fixtureKeys(root) };
}
