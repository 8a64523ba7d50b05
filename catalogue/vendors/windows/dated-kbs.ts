/** What dates the KBs of the guide: the documents that name them, and what they replace on the products that they are for. */
import { replacementsByBuild } from './build-order.ts';
import { compareBuilds } from './fixed-build.ts';
import type { DatedKb } from './kb-release-dates.ts';
import type { MsrcDocument } from './msrc-document.ts';
import type { PlacedKb } from './product-kbs.ts';

type NamedIn = ReadonlyMap<string, ReadonlyMap<MsrcDocument, number>>;

/** `products`: the KBs of each product. */
export function datedKbs(
  products: Iterable<readonly PlacedKb[]>,
  namedIn: NamedIn,
): ReadonlyMap<string, DatedKb> {
  const kbs = new Map<string, DatedKb & { readonly replaces: Set<string> }>();
  for (const ofProduct of products) {
    const placed = new Map(ofProduct.map((kb) => [kb.kb, kb]));
    for (const { kb, row, build } of ofProduct) {
      const dated = kbs.get(kb) ?? {
        namedIn: namedIn.get(kb) ?? new Map(),
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
