/** Feeds of the risk sources by key; imported by the server only. */
import type { RiskFeed } from '../definition/feed.ts';
import type { RiskSourceKey } from '../definition/risk-facts.ts';
import { epssFeed } from './epss-feed.ts';
import { kevFeed } from './kev-feed.ts';
import { nvdFeed } from './nvd-feed.ts';

export const riskFeeds: Readonly<Record<RiskSourceKey, RiskFeed>> = {
  kev: kevFeed,
  epss: epssFeed,
  cvss: nvdFeed,
};
