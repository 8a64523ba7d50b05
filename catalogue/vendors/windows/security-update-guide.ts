/** Part with the security update guide: a row of the KB list for each KB and product, from all months and the KB base. */
import {
  createRemark,
  type Document,
  type FeedItem,
  type Part,
  type PartManifest,
} from '../../definition/feed.ts';
import { addressOfList } from '../../parsers/list-document.ts';
import { KbConclusions } from './conclusions/kb-conclusions.ts';
import { KbFactsTable } from './conclusions/kb-facts.ts';
import { createConclusionRemarks } from './conclusions/kb-remarks.ts';
import { createUpdateConclusions } from './entries/update-conclusions.ts';
import { toWindowsKbEntry } from './entries/windows-kb-entry.ts';
import { type KbForProduct, listKbsForProducts } from './guide/kb-for-product.ts';
import { MsrcFixes } from './guide/msrc-fixes.ts';
import { openMsrcMonths } from './guide/msrc-months.ts';
import { windowsKbBaseList } from './lists/windows-kb-base-list.ts';
import { OfferedUpdates } from './scan-file/offered-updates.ts';

export const securityUpdateGuidePart: Part = {
  key: 'msrc',
  label: 'Security update guide',
  async contents(publication): Promise<PartManifest> {
    const months = await openMsrcMonths(publication);
    return {
      ...months,
      documents: [...months.documents, await publication.openList(windowsKbBaseList)],
    };
  },
  read: readGuide,
};

const offlineScanMissing =
  'facts of the offline scan file are missing: dates and supersedence come from the security update guide only';

/** Reads all months before yielding: a KB is in several of them, and any can state its replacements. */
async function* readGuide({ documents }: PartManifest): AsyncGenerator<FeedItem> {
  const isKbBase = ({ url }: Document) => url === addressOfList(windowsKbBaseList);
  const fixes = new MsrcFixes();
  // Sorted independently of the index, so that documents of one date always have the same order.
  const months = documents
    .filter((document) => !isKbBase(document))
    .toSorted((a, b) => (a.url < b.url ? -1 : 1));
  for (const document of months) await fixes.read(document);
  yield* fixes.rejections;
  yield* fixes.remarks;
  const rows: KbForProduct[] = [];
  for (const row of listKbsForProducts(fixes)) {
    if (row.kind === 'rejection') yield row;
    else rows.push(row);
  }
  const kbBase = documents.find(isKbBase);
  const offered = kbBase === undefined ? new OfferedUpdates() : await OfferedUpdates.read(kbBase);
  if (offered.isEmpty) yield createRemark(offlineScanMissing);
  const conclusions = new KbConclusions(rows, fixes, offered, fixes.vulnerabilities);
  const facts = new KbFactsTable(conclusions);
  for (const row of rows) yield toWindowsKbEntry(row, fixes.vulnerabilities, conclusions, facts);
  for (const [update, ofUpdate] of facts.listUpdateFacts(offered))
    yield* createUpdateConclusions(update, ofUpdate);
  for (const remark of createConclusionRemarks(rows, conclusions, offered))
    yield createRemark(remark);
}
