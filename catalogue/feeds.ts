/** The feeds, by the name their source is synced under; read by the server only. A source without a feed is not collected yet. */
import type { Feed } from './definition/feed.ts';
import type { SourceKey } from './definition/sources.ts';
import { almalinuxFeed } from './vendors/almalinux/almalinux-feed.ts';
import { ubuntuFeed } from './vendors/ubuntu/ubuntu-feed.ts';
import { windowsKbFeed } from './vendors/windows/windows-kb-feed.ts';

export const feeds: Partial<Record<SourceKey, Feed>> = {
  wsus: windowsKbFeed,
  ubuntu: ubuntuFeed,
  almaLinux: almalinuxFeed,
};
