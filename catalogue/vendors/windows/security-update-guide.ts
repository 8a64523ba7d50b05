/** The security update guide: a row of the KB list for each KB and product, from all of its months together and from the KB base. */
import type { Document, FeedItem, Part, PartManifest } from '../../definition/feed.ts';
import { addressOfList } from '../../parsers/list-document.ts';
import { KbConclusions } from './kb-conclusions.ts';
import { KbFactsTable } from './kb-facts.ts';
import { type KbForProduct, kbsForProducts } from './kb-for-product.ts';
import { conclusionRemarks } from './kb-remarks.ts';
import { MsrcFixes } from './msrc-fixes.ts';
import { msrcMonths } from './msrc-months.ts';
import { OfferedUpdates } from './offered-updates.ts';
import { updateConclusions } from './update-conclusions.ts';
import { windowsKbBaseList } from './windows-kb-base-list.ts';
import { windowsKbEntry } from './windows-kb-entry.ts';

export const securityUpdateGuidePart: Part = {
  key: 'msrc',
  label: 'Security update guide',
  async contents(publication): Promise<PartManifest> {
    const months = await msrcMonths(publication);
    return {
      ...months,
      documents: [...months.documents, await publication.openList(windowsKbBaseList)],
    };
  },
  read: readGuide,
};

const offlineScanMissing =
  'what the offline scan file says of KBs is missing: dates and supersedence come from the security update guide alone';

/** Nothing is yielded before all months are read: a KB is in several of them, and any can say what it replaces. */
async function* readGuide({ documents }: PartManifest): AsyncGenerator<FeedItem> {
  const isKbBase = ({ url }: Document) => url === addressOfList(windowsKbBaseList);
  const fixes = new MsrcFixes();
  // In the same order whatever the index's, so that of two documents of one date the same one is the last.
  const months = documents
    .filter((document) => !isKbBase(document))
    .toSorted((a, b) => (a.url < b.url ? -1 : 1));
  for (const document of months) await fixes.read(document);
  yield* fixes.rejections;
  const rows: KbForProduct[] = [];
  for (const row of kbsForProducts(fixes)) {
    if (row.kind === 'rejection') yield row;
    else rows.push(row);
  }
  const kbBase = documents.find(isKbBase);
  const offered = kbBase === undefined ? new OfferedUpdates() : await OfferedUpdates.read(kbBase);
  if (offered.isEmpty) yield { kind: 'remark', remark: offlineScanMissing };
  const conclusions = new KbConclusions(rows, fixes, offered, fixes.vulnerabilities);
  const facts = new KbFactsTable(rows, fixes.vulnerabilities, conclusions);
  for (const row of rows)
    yield windowsKbEntry(row, fixes.vulnerabilities, conclusions, facts.of(row));
  for (const [update, ofUpdate] of facts.ofUpdates(offered))
    yield* updateConclusions(update, ofUpdate);
  for (const remark of conclusionRemarks(rows, conclusions, offered))
    yield { kind: 'remark', remark };
}
