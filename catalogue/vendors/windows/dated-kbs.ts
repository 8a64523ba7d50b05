/** What dates the KBs of the guide: the documents that name them, and what they replace on the products that they are for. */
import { replacementsByBuild } from './build-order.ts';
import { compareBuilds } from './fixed-build.ts';
import type { DatedKb } from './kb-release-dates.ts';
import type { MsrcDocument } from './msrc-document.ts';
import type { Revision } from './msrc-fixes.ts';
import type { PlacedKb } from './product-kbs.ts';

export interface KbDocuments {
  /** By KB, the documents that name it with the number of its fixes in each. */
  readonly namedIn: ReadonlyMap<string, ReadonlyMap<MsrcDocument, number>>;
  /** By KB, the days on which what they say of it was published anew. */
  readonly revisedIn: ReadonlyMap<string, ReadonlyMap<string, Revision>>;
}

/** `products`: the KBs of each product. */
export function datedKbs(
  products: Iterable<readonly PlacedKb[]>,
  { namedIn, revisedIn }: KbDocuments,
): ReadonlyMap<string, DatedKb> {
  const kbs = new Map<string, DatedKb & { readonly replaces: Set<string> }>();
  for (const ofProduct of products) {
    const placed = new Map(ofProduct.map((kb) => [kb.kb, kb]));
    for (const { kb, row, build } of ofProduct) {
      const dated = kbs.get(kb) ?? {
        namedIn: namedIn.get(kb) ?? new Map(),
        revisions: [...(revisedIn.get(kb)?.values() ?? [])],
        replaces: new Set<string>(),
      };
      kbs.set(kb, dated);
      for (const older of row?.supersedes.keys() ?? []) {
        // Microsoft's words name KBs of other products at times, and those say nothing about this one.
        const replaced = placed.get(older);
        if (replaced === undefined) continue;
        const isImpossible =
          build !== null && replaced.build !== null && compareBuilds(build, replaced.build) < 0;
        if (!isImpossible) dated.replaces.add(older);
      }
    }
    for (const { older, newer } of replacementsByBuild(ofProduct))
      kbs.get(newer)?.replaces.add(older);
  }
  return kbs;
}
