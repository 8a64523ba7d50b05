/**
 * The feeds, by the name under which their source is synced; only the server imports this file. A source without a feed is not
 * collected yet.
 */
import type { AnyFeed, Feed } from './definition/feed.ts';
import { riskFeeds } from './risk/risk-feeds.ts';
import type { SourceKey, VendorSourceKey } from './sources.ts';
import { almalinuxFeed } from './vendors/almalinux/almalinux-feed.ts';
import { amazonlinuxFeed } from './vendors/amazonlinux/amazonlinux-feed.ts';
import { centosFeed } from './vendors/centos/centos-feed.ts';
import { debianFeed } from './vendors/debian/debian-feed.ts';
import { macosFeed } from './vendors/macos/macos-feed.ts';
import { opensuseFeed } from './vendors/opensuse/opensuse-feed.ts';
import { oraclelinuxFeed } from './vendors/oraclelinux/oraclelinux-feed.ts';
import { pardusFeed } from './vendors/pardus/pardus-feed.ts';
import { rockylinuxFeed } from './vendors/rockylinux/rockylinux-feed.ts';
import { thirdpartyFeed } from './vendors/thirdparty/thirdparty-feed.ts';
import { ubuntuFeed } from './vendors/ubuntu/ubuntu-feed.ts';
import { windowsKbFeed } from './vendors/windows/windows-kb-feed.ts';

export const vendorFeeds: Partial<Record<VendorSourceKey, Feed>> = {
  wsus: windowsKbFeed,
  ubuntu: ubuntuFeed,
  centOs: centosFeed,
  debian: debianFeed,
  pardus: pardusFeed,
  mac: macosFeed,
  opensuse: opensuseFeed,
  oracleLinux: oraclelinuxFeed,
  thirdParty: thirdpartyFeed,
  almaLinux: almalinuxFeed,
  rockyLinux: rockylinuxFeed,
  amazonLinux: amazonlinuxFeed,
};

export const feeds: Partial<Record<SourceKey, AnyFeed>> = { ...vendorFeeds, ...riskFeeds };
