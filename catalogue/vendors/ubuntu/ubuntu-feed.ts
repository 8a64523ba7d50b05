/** Feed of Ubuntu's publications. */
import type { Feed } from '../../definition/feed.ts';
import { otherUbuntuArchiveParts, ubuntuArchiveParts } from './ubuntu-archive-parts.ts';
import { ubuntuNoticeList } from './ubuntu-notice-list.ts';
import { ubuntuNoticePart } from './ubuntu-notice-part.ts';
import { ubuntuPackageList } from './ubuntu-package-list.ts';

export const ubuntuFeed: Feed = {
  fills: [ubuntuNoticeList, ubuntuPackageList],
  homepage: 'https://ubuntu.com/security/notices',
  // Hundreds of requests per sync: the API has small pages, and all are read.
  schedule: '12 */4 * * *',
  version: 5,
  parts: [ubuntuNoticePart, ...ubuntuArchiveParts],
  otherParts: otherUbuntuArchiveParts,
};
