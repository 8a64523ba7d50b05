/** The security update guide: a row of the KB list for each KB and product, from all of its months together and from the KB base. */
import type { Document, Part, Reading } from '../../definition/feed.ts';
import { addressOfList } from '../../formats/list-document.ts';
import { KbChains } from './kb-chains.ts';
import { type KbForProduct, kbsForProducts } from './kb-for-product.ts';
import { type DatedKb, KbReleaseDates } from './kb-release-dates.ts';
import { MsrcFixes } from './msrc-fixes.ts';
import { type MonthsContents, msrcMonths } from './msrc-months.ts';
import { OfferedUpdates } from './offered-updates.ts';
import { windowsKbBaseList } from './windows-kb-base-list.ts';
import { windowsKbEntry } from './windows-kb-entry.ts';

export const securityUpdateGuidePart: Part = {
  key: 'msrc',
  label: 'Security update guide',
  async contents(publication): Promise<MonthsContents> {
    const months = await msrcMonths(publication);
    return { ...months, documents: [...months.documents, await publication.openList(windowsKbBaseList)] };
  },
  read: readGuide,
};

/** Nothing is yielded before all months are read: a KB is in several of them, and any can say what it replaces. */
async function* readGuide({ documents, unreadable = [], unlisted = [] }: MonthsContents): AsyncGenerator<Reading> {
  yield* unreadable;
  for (const month of unlisted) yield { remark: `the index no longer lists ${month}; its last copy is kept` };
  const isKbBase = ({ url }: Document) => url === addressOfList(windowsKbBaseList);
  const fixes = new MsrcFixes();
  // In the same order whatever the index's, so that of two documents of one date the same one is the last.
  const months = documents.filter((document) => !isKbBase(document)).toSorted((one, other) => (one.url < other.url ? -1 : 1));
  for (const document of months) await fixes.read(document);
  yield* fixes.rejections;
  const rows: KbForProduct[] = [];
  for (const row of kbsForProducts(fixes)) {
    if ('rejected' in row) yield row;
    else rows.push(row);
  }
  const kbBase = documents.find(isKbBase);
  const offered = kbBase === undefined ? new OfferedUpdates() : await OfferedUpdates.read(kbBase);
  const dates = new KbReleaseDates(datedKbs(rows, fixes), offered);
  const chains = new KbChains(rows, (kb) => dates.of(kb).taken?.date ?? null);
  for (const row of rows) {
    yield windowsKbEntry(row, { vulnerabilities: fixes.vulnerabilities, chains, released: dates.of(row.kb) });
  }
}

/** A KB replaces another one for sure on a product that both are for: Microsoft's words name KBs of other products at times. */
function datedKbs(rows: readonly KbForProduct[], { namedIn }: MsrcFixes): Map<string, DatedKb> {
  const kbsOfProduct = new Map<string, Set<string>>();
  for (const { kb, product } of rows) kbsOfProduct.set(product.name, (kbsOfProduct.get(product.name) ?? new Set()).add(kb));
  const kbs = new Map<string, DatedKb & { readonly replaces: Set<string> }>();
  for (const { kb, product, supersedes } of rows) {
    const dated = kbs.get(kb) ?? { namedIn: namedIn.get(kb) ?? new Map(), replaces: new Set<string>() };
    kbs.set(kb, dated);
    for (const older of supersedes.keys()) if (kbsOfProduct.get(product.name)?.has(older) === true) dated.replaces.add(older);
  }
  return kbs;
}
