/** Readings of offline scan files that are made of written members. */
import { expect } from 'vitest';
import type { FeedItem } from '../../../definition/feed.ts';
import { allOf } from '../../../testing/all-of.ts';
import { documentFrom } from '../../../testing/document-from.ts';
import { type ScanMembers, scanFileFrom, scanMembers } from '../fixtures/offline-scan-members.ts';
import { offlineScanPart } from '../offline-scan.ts';

export const url =
  'https://catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab';

export const readFrom = (members: ScanMembers, index?: string): Promise<FeedItem[]> =>
  allOf(
    offlineScanPart.read({
      documents: [documentFrom(url, scanFileFrom(members, index))],
      whole: true,
    }),
  );

/** The fixture with other members, and with lines of package.xml replaced. */
export function changed(
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
