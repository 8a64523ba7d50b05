/** Readings of offline scan files built from written members. */
import { expect } from 'vitest';
import type { FeedItem } from '../../../definition/feed.ts';
import { collect } from '../../../testing/collect.ts';
import { documentFrom } from '../../../testing/document-from.ts';
import { type ScanMembers, scanFileFrom, scanMembers } from '../fixtures/offline-scan-members.ts';
import { offlineScanPart } from '../scan-file/offline-scan.ts';

export const url =
  'https://catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab';

export const readScan = (members: ScanMembers, index?: string): Promise<FeedItem[]> =>
  collect(
    offlineScanPart.read({
      documents: [documentFrom(url, scanFileFrom(members, index))],
      isComplete: true,
    }),
  );

/** Returns the fixture with other members, and with replaced lines of package.xml. */
export function changeMembers(
  members: Readonly<Record<string, string>>,
  ...replacements: readonly (readonly [string, string])[]
): ScanMembers {
  const text = replacements.reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replace(from, to);
  }, scanMembers['package.cab']?.['package.xml'] ?? '');
  return {
    ...scanMembers,
    'package.cab': { 'package.xml': text },
    'package2.cab': { ...scanMembers['package2.cab'], ...members },
  };
}
