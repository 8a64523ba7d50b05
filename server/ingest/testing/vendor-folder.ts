/** Selects the folder with the documents of a vendor: the feed mirror if it has the source, or the fixtures of the feed. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { mirrorHas } from '@patch/catalogue/testing/mirror-has.ts';
import { findFixtures, fixtureKeys } from '@patch/catalogue/testing/vendor-fixtures.ts';

export interface VendorFolder {
  readonly root: string;
  /** Armored public keys, with which the indexes in fixtures are signed. */
  readonly trustedKeys: readonly string[];
}

export async function vendorFolder(mirror: string, feed: Feed): Promise<VendorFolder> {
  if (await mirrorHas(mirror, feed)) return { root: mirror, trustedKeys: [] };
  const root = findFixtures(feed);
  return { root, trustedKeys: fixtureKeys(root) };
}
