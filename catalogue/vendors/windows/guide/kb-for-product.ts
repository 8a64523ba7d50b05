/** Rows of the KB list before they are worded: each KB for each of its products, merged and named consistently. */
import { createRejection, type Rejection } from '../../../definition/feed.ts';
import { compareNaturally } from '../names/compare-naturally.ts';
import { compareDocuments, type MsrcDocument } from './msrc-document.ts';
import { addStatement, type Fix, type MsrcFixes } from './msrc-fixes.ts';
import type { KnownIssue } from './msrc-known-issues.ts';
import { type FoldedProduct, foldProducts, type MsrcProduct } from './msrc-products.ts';
import { getHigherRating, type Rating } from './msrc-rating.ts';

export interface KbForProduct
  extends Pick<Fix, 'kb' | 'supersedes' | 'restarts' | 'updateTypes' | 'fixedBuilds' | 'ratings'> {
  readonly kind: 'kbForProduct';
  /** Its id is part of the row's key and depends only on documents that name the KB; its words are those of the newest document. */
  readonly product: MsrcProduct;
  /** Ids that the documents use for this KB: the product's own, those of its parts, and of other products of its name. */
  readonly productIds: ReadonlySet<string>;
  /** Ids that earlier versions may have used in the row's key. */
  readonly formerIds: readonly string[];
  /** Names of fixed components inside the product: 'Internet Explorer 11'. */
  readonly parts: ReadonlySet<string>;
  readonly knownIssues: readonly KnownIssue[];
}

/** Yields the KBs by number and their products by id, and a rejection with the reason for each unusable one. */
export function* listKbsForProducts(fixes: MsrcFixes): Generator<KbForProduct | Rejection> {
  for (const [kb, ofKb] of sortByKey(fixes.fixes)) {
    const { rows, unknown } = createRows(kb, ofKb, fixes);
    for (const { product, url } of unknown) {
      yield createRejection(
        kb,
        `It is for a product "${product}" that no document describes.`,
        url,
        [`${kb}|${product}`],
      );
    }
    for (const [, row] of sortByKey(rows))
      yield { ...row, knownIssues: fixes.knownIssues.listIssues(kb, row.productIds) };
  }
}

function createRows(kb: string, ofKb: ReadonlyMap<string, Fix>, fixes: MsrcFixes) {
  const describe = createDescriber(kb, fixes);
  const folded = foldProducts(
    [...ofKb.keys()].flatMap((id) => describe(id) ?? []),
    describe,
  );
  const productByName = chooseProductByName(folded.values());
  const rows = new Map<string, MutableRow>();
  const unknown: Fix[] = [];
  for (const [id, fix] of sortByKey(ofKb)) {
    const target = folded.get(id);
    if (target === undefined) {
      unknown.push(fix);
      continue;
    }
    const product = productByName.get(target.product.name) ?? target.product;
    const row =
      rows.get(product.id) ?? createRow(kb, fixes.products.get(product.id) ?? product, fixes);
    rows.set(product.id, row);
    row.productIds.add(target.product.id);
    addFix(row, fix, target.part);
  }
  return { rows, unknown };
}

/** Takes the newest description among documents that name the KB: other documents must not change the row of a fix. */
function createDescriber(
  kb: string,
  { documentsByKb, products }: MsrcFixes,
): (id: string) => MsrcProduct | undefined {
  const documents = [...(documentsByKb.get(kb)?.keys() ?? [])].toSorted((a, b) =>
    compareDocuments(b, a),
  );
  return (id) =>
    documents.find((document) => document.product(id) !== undefined)?.product(id) ??
    products.get(id);
}

/** A few products have two ids and one name: the list shows one row, under the lower id. */
function chooseProductByName(folded: Iterable<FoldedProduct>): ReadonlyMap<string, MsrcProduct> {
  const byName = new Map<string, MsrcProduct>();
  for (const { product } of folded) {
    const before = byName.get(product.name);
    if (before === undefined || compareNaturally(product.id, before.id) < 0)
      byName.set(product.name, product);
  }
  return byName;
}

interface MutableRow extends Omit<KbForProduct, 'knownIssues'> {
  readonly productIds: Set<string>;
  readonly parts: Set<string>;
}

function createRow(kb: string, product: MsrcProduct, { products }: MsrcFixes): MutableRow {
  const productIds = new Set<string>();
  return {
    kind: 'kbForProduct',
    kb,
    product,
    productIds,
    // Earlier versions took the lowest id of the name in any document, and did not merge parts when no document named their host.
    get formerIds() {
      return [...new Set([...productIds, ...products.listIdsByName(product.name)])]
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

function addFix(row: MutableRow, fix: Fix, part: string | null): void {
  row.productIds.add(fix.product);
  if (part !== null) row.parts.add(part);
  for (const words of ['restarts', 'updateTypes'] as const)
    for (const word of fix[words]) row[words].add(word);
  for (const statement of ['supersedes', 'fixedBuilds'] as const)
    for (const [word, document] of fix[statement]) addStatement(row[statement], word, document);
  for (const [cve, rating] of fix.ratings)
    row.ratings.set(cve, getHigherRating(row.ratings.get(cve), rating));
}

function sortByKey<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].toSorted(([a], [b]) => compareNaturally(a, b));
}
