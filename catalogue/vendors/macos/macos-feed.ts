/** Feed of Apple's publications. */
import type { Feed } from '../../definition/feed.ts';
import { macosList } from './macos-list.ts';
import { softwarePart } from './macos-software.ts';
import { supportedVersionsPart } from './macos-supported-versions.ts';

export const macosFeed: Feed = {
  fills: [macosList],
  homepage: 'https://support.apple.com/en-us/100100',
  schedule: '25 */4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 5,
  parts: [softwarePart, supportedVersionsPart],
};
