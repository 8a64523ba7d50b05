/** Collects the facts that date the guide's KBs: the documents that name them, and the KBs that they replace on their products. */
import type { MsrcDocument } from '../guide/msrc-document.ts';
import type { Revision } from '../guide/msrc-fixes.ts';
import { findReplacementsByBuild } from './build-order.ts';
import { compareBuilds } from './fixed-build.ts';
import type { DatedKb } from './kb-release-dates.ts';
import type { PlacedKb } from './product-kbs.ts';

export interface KbDocuments {
  /** By KB: the documents that name it, with the number of its fixes in each. */
  readonly documentsByKb: ReadonlyMap<string, ReadonlyMap<MsrcDocument, number>>;
  /** By KB: revisions of the documents' statements about it. */
  readonly revisionsByKb: ReadonlyMap<string, ReadonlyMap<string, Revision>>;
}

/** @param products the KBs of each product */
export function collectDatedKbs(
  products: Iterable<readonly PlacedKb[]>,
  { documentsByKb, revisionsByKb }: KbDocuments,
): ReadonlyMap<string, DatedKb> {
  const kbs = new Map<string, DatedKb & { readonly replaces: Set<string> }>();
  for (const ofProduct of products) {
    const placed = new Map(ofProduct.map((kb) => [kb.kb, kb]));
    for (const { kb, row, build } of ofProduct) {
      const dated = kbs.get(kb) ?? {
        fixCountByDocument: documentsByKb.get(kb) ?? new Map(),
        revisions: [...(revisionsByKb.get(kb)?.values() ?? [])],
        replaces: new Set<string>(),
      };
      kbs.set(kb, dated);
      for (const older of row?.supersedes.keys() ?? []) {
        // Microsoft's words sometimes name KBs of other products, which state nothing about this one.
        const replaced = placed.get(older);
        if (replaced === undefined) continue;
        const isImpossible =
          build !== null && replaced.build !== null && compareBuilds(build, replaced.build) < 0;
        if (!isImpossible) dated.replaces.add(older);
      }
    }
    for (const { older, newer } of findReplacementsByBuild(ofProduct))
      kbs.get(newer)?.replaces.add(older);
  }
  return kbs;
}
