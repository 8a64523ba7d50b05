/** Microsoft's two publications: the security update guide, with a KB for each of its products, and what Windows Update offers. */
import type { Feed, Part, Reading } from '../../definition/feed.ts';
import { KbChains } from './kb-chains.ts';
import { type KbForProduct, kbsForProducts } from './kb-for-product.ts';
import { MsrcFixes } from './msrc-fixes.ts';
import { type MonthsContents, msrcMonths } from './msrc-months.ts';
import { offlineScanPart } from './offline-scan.ts';
import { windowsKbBaseList } from './windows-kb-base-list.ts';
import { windowsKbEntry } from './windows-kb-entry.ts';
import { windowsKbList } from './windows-kb-list.ts';
import { windowsPatchList } from './windows-patch-list.ts';

const msrcPart: Part = { key: 'msrc', label: 'Security update guide', contents: msrcMonths, read: readMonths };

export const windowsKbFeed: Feed = {
  fills: [windowsKbList, windowsKbBaseList, windowsPatchList],
  homepage: 'https://msrc.microsoft.com/update-guide',
  schedule: '5 */4 * * *',
  version: 3,
  parts: [msrcPart, offlineScanPart],
};

/** Nothing is yielded before all months are read: a KB is in several of them, and any can say what it replaces. */
async function* readMonths({ documents, unreadable = [] }: MonthsContents): AsyncGenerator<Reading> {
  yield* unreadable;
  const fixes = new MsrcFixes();
  // In the same order whatever the index's, so that of two documents of one date the same one is the last.
  for (const document of documents.toSorted((one, other) => (one.url < other.url ? -1 : 1))) await fixes.read(document);
  yield* fixes.rejections;
  const rows: KbForProduct[] = [];
  for (const row of kbsForProducts(fixes)) {
    if ('rejected' in row) yield row;
    else rows.push(row);
  }
  const chains = new KbChains(rows);
  for (const row of rows) yield windowsKbEntry(row, fixes.vulnerabilities, chains);
}
