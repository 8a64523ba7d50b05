/** Feed of Microsoft's two publications: Windows Update's offline scan file, and the security update guide with a KB for each product. */
import type { Feed } from '../../definition/feed.ts';
import { windowsKbBaseList } from './lists/windows-kb-base-list.ts';
import { windowsKbList } from './lists/windows-kb-list.ts';
import { windowsPatchList } from './lists/windows-patch-list.ts';
import { offlineScanPart } from './scan-file/offline-scan.ts';
import { securityUpdateGuidePart } from './security-update-guide.ts';

export const windowsKbFeed: Feed = {
  fills: [windowsKbList, windowsKbBaseList, windowsPatchList],
  homepage: 'https://msrc.microsoft.com/update-guide',
  schedule: '5 */4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 9,
  // The scan file first: its facts are evidence for the guide's KBs.
  parts: [offlineScanPart, securityUpdateGuidePart],
};
