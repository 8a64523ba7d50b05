/** The rows of the KB list before they are worded: each KB for each of its products, folded and named alike. */
import type { Rejection } from '../../definition/feed.ts';
import type { Fix, MsrcFixes } from './msrc-fixes.ts';
import { foldProducts, type MsrcProduct, oneIdForEachName } from './msrc-products.ts';
import { naturally } from './natural-order.ts';
import { higherRating, type Rating } from './msrc-rating.ts';

export interface KbForProduct extends Pick<Fix, 'kb' | 'supersedes' | 'restarts' | 'updateTypes' | 'fixedBuilds' | 'ratings'> {
  readonly product: MsrcProduct;
  /** What is fixed inside of the product and has a name of its own: 'Internet Explorer 11'. */
  readonly parts: ReadonlySet<string>;
  readonly releaseDate: number | null;
}

/** Yields the KBs by number, the products of each by id; what cannot be used is told by its reason. */
export function* kbsForProducts(fixes: MsrcFixes): Generator<KbForProduct | Rejection> {
  const folded = new Map([...fixes.fixes].map(([kb, ofKb]) => [kb, foldProducts(fixes.products, knownProducts(fixes, ofKb))]));
  const oneOfName = oneIdForEachName([...folded.values()].flatMap((ofKb) => [...ofKb.values()].map(({ product }) => product)));
  for (const [kb, ofKb] of sorted(fixes.fixes)) {
    const rows = new Map<string, Growing>();
    for (const [id, fix] of sorted(ofKb)) {
      const target = folded.get(kb)?.get(id);
      if (target === undefined) {
        yield { rejected: kb, reason: `It is for a product "${id}" that no document describes.`, url: fix.url };
        continue;
      }
      const product = oneOfName.get(target.product.name) ?? target.product;
      const row = rows.get(product.id) ?? emptyRow(kb, product, fixes.releaseDates.get(kb) ?? null);
      rows.set(product.id, row);
      addTo(row, fix, target.part);
    }
    for (const [, row] of sorted(rows)) yield row;
  }
}

function knownProducts({ products }: MsrcFixes, ofKb: ReadonlyMap<string, Fix>): MsrcProduct[] {
  return [...ofKb.keys()].flatMap((id) => products.get(id) ?? []);
}

interface Growing extends KbForProduct {
  readonly parts: Set<string>;
}

function emptyRow(kb: string, product: MsrcProduct, releaseDate: number | null): Growing {
  return {
    kb,
    product,
    releaseDate,
    parts: new Set(),
    supersedes: new Set(),
    restarts: new Set(),
    updateTypes: new Set(),
    fixedBuilds: new Set(),
    ratings: new Map<string, Rating>(),
  };
}

function addTo(row: Growing, fix: Fix, part: string | null): void {
  if (part !== null) row.parts.add(part);
  for (const words of ['supersedes', 'restarts', 'updateTypes', 'fixedBuilds'] as const)
    for (const word of fix[words]) row[words].add(word);
  for (const [cve, rating] of fix.ratings) row.ratings.set(cve, higherRating(row.ratings.get(cve), rating));
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].toSorted(([one], [other]) => naturally(one, other));
}
