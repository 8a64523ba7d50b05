/** The rows of the KB list before they are worded: each KB for each of its products, folded and named alike. */
import type { Rejection } from '../../definition/feed.ts';
import { compareNaturally } from './compare-naturally.ts';
import { compareDocuments, type MsrcDocument } from './msrc-document.ts';
import { addStatement, type Fix, type MsrcFixes } from './msrc-fixes.ts';
import type { KnownIssue } from './msrc-known-issues.ts';
import { type Folded, foldProducts, type MsrcProduct } from './msrc-products.ts';
import { higherRating, type Rating } from './msrc-rating.ts';

export interface KbForProduct
  extends Pick<Fix, 'kb' | 'supersedes' | 'restarts' | 'updateTypes' | 'fixedBuilds' | 'ratings'> {
  readonly kind: 'kbForProduct';
  /** Its id is part of the row's key and depends on the documents that name the KB alone; its words are those of the newest document. */
  readonly product: MsrcProduct;
  /** The ids under which the documents name it for this KB: its own, those of its parts, and of others of its name. */
  readonly productIds: ReadonlySet<string>;
  /** Ids under which the row may have been kept before. */
  readonly formerIds: readonly string[];
  /** What is fixed inside of the product and has a name of its own: 'Internet Explorer 11'. */
  readonly parts: ReadonlySet<string>;
  readonly knownIssues: readonly KnownIssue[];
}

/** Yields the KBs by number, the products of each by id; what cannot be used is told by its reason. */
export function* kbsForProducts(fixes: MsrcFixes): Generator<KbForProduct | Rejection> {
  for (const [kb, ofKb] of sorted(fixes.fixes)) {
    const { rows, unknown } = rowsOfKb(kb, ofKb, fixes);
    for (const { product, url } of unknown) {
      yield {
        kind: 'rejection',
        rejected: kb,
        keys: [`${kb}|${product}`],
        reason: `It is for a product "${product}" that no document describes.`,
        url,
      };
    }
    for (const [, row] of sorted(rows))
      yield { ...row, knownIssues: fixes.knownIssues.of(kb, row.productIds) };
  }
}

function rowsOfKb(kb: string, ofKb: ReadonlyMap<string, Fix>, fixes: MsrcFixes) {
  const describe = descriptions(kb, fixes);
  const folded = foldProducts(
    [...ofKb.keys()].flatMap((id) => describe(id) ?? []),
    describe,
  );
  const oneOfName = oneIdForEachName(folded.values());
  const rows = new Map<string, Growing>();
  const unknown: Fix[] = [];
  for (const [id, fix] of sorted(ofKb)) {
    const target = folded.get(id);
    if (target === undefined) {
      unknown.push(fix);
      continue;
    }
    const product = oneOfName.get(target.product.name) ?? target.product;
    const row =
      rows.get(product.id) ?? emptyRow(kb, fixes.products.get(product.id) ?? product, fixes);
    rows.set(product.id, row);
    row.productIds.add(target.product.id);
    addTo(row, fix, target.part);
  }
  return { rows, unknown };
}

/** As the newest of the documents says that name the KB: what others say of a product cannot change to which row a fix belongs. */
function descriptions(
  kb: string,
  { namedIn, products }: MsrcFixes,
): (id: string) => MsrcProduct | undefined {
  const documents = [...(namedIn.get(kb)?.keys() ?? [])].toSorted((a, b) => compareDocuments(b, a));
  return (id) =>
    documents.find((document) => document.product(id) !== undefined)?.product(id) ??
    products.get(id);
}

/** A few products have two ids and one name: the list shows one, under the lower id. */
function oneIdForEachName(folded: Iterable<Folded>): ReadonlyMap<string, MsrcProduct> {
  const byName = new Map<string, MsrcProduct>();
  for (const { product } of folded) {
    const before = byName.get(product.name);
    if (before === undefined || compareNaturally(product.id, before.id) < 0)
      byName.set(product.name, product);
  }
  return byName;
}

interface Growing extends Omit<KbForProduct, 'knownIssues'> {
  readonly productIds: Set<string>;
  readonly parts: Set<string>;
}

function emptyRow(kb: string, product: MsrcProduct, { products }: MsrcFixes): Growing {
  const productIds = new Set<string>();
  return {
    kind: 'kbForProduct',
    kb,
    product,
    productIds,
    // Earlier versions took the lowest id that any document had for the name, and left parts unfolded where no document named their host.
    get formerIds() {
      return [...new Set([...productIds, ...products.idsOfName(product.name)])]
        .filter((id) => id !== product.id)
        .toSorted(compareNaturally);
    },
    parts: new Set(),
    supersedes: new Map<string, MsrcDocument>(),
    restarts: new Set(),
    updateTypes: new Set(),
    fixedBuilds: new Map<string, MsrcDocument>(),
    ratings: new Map<string, Rating>(),
  };
}

function addTo(row: Growing, fix: Fix, part: string | null): void {
  row.productIds.add(fix.product);
  if (part !== null) row.parts.add(part);
  for (const words of ['restarts', 'updateTypes'] as const)
    for (const word of fix[words]) row[words].add(word);
  for (const said of ['supersedes', 'fixedBuilds'] as const)
    for (const [word, document] of fix[said]) addStatement(row[said], word, document);
  for (const [cve, rating] of fix.ratings)
    row.ratings.set(cve, higherRating(row.ratings.get(cve), rating));
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].toSorted(([one], [other]) => compareNaturally(one, other));
}
