/** Everything that is concluded about the KBs of the guide, product by product, before it is worded. */
import { datedKbs, type KbDocuments } from './dated-kbs.ts';
import { type Contradiction, contradictionsOn } from './kb-contradictions.ts';
import type { KbForProduct } from './kb-for-product.ts';
import { lineOfTitle } from './kb-lines.ts';
import { KbReleaseDates, type ReleaseDate } from './kb-release-dates.ts';
import { KbResolution } from './kb-resolution.ts';
import type { Vulnerability } from './msrc-fixes.ts';
import type { OfferedUpdate, OfferedUpdates } from './offered-updates.ts';
import { type PlacedKb, type ProductKb, placeKbs } from './product-kbs.ts';
import { ProductReplacements } from './product-replacements.ts';
import { separateKbs } from './separate-kbs.ts';
import { ServicingFamilies } from './servicing-families.ts';
import { matchUpdate } from './update-of-kb.ts';
import { architecturesOf, isWindows } from './windows-product.ts';

export interface ProductConclusions {
  readonly product: string;
  readonly replacements: ProductReplacements;
  readonly resolution: KbResolution;
  readonly contradictions: readonly Contradiction[];
}

export class KbConclusions {
  readonly #dates: KbReleaseDates;
  readonly #offered: OfferedUpdates;
  readonly #productsOfKb = new Map<string, Set<string>>();
  readonly #products = new Map<string, ProductConclusions>();

  constructor(
    rows: readonly KbForProduct[],
    documents: KbDocuments,
    offered: OfferedUpdates,
    vulnerabilities: ReadonlyMap<string, Pick<Vulnerability, 'guidance'>>,
  ) {
    this.#offered = offered;
    const placed = this.#place(rows, separateKbs(rows, vulnerabilities));
    const dates = new KbReleaseDates(datedKbs(placed.values(), documents), offered);
    this.#dates = dates;
    for (const [product, kbs] of placed) {
      const dated = kbs.map((kb) => {
        const { taken, passedOverFor } = dates.of(kb.kb);
        const releaseDate = taken?.date ?? null;
        return { ...kb, releaseDate, notBefore: releaseDate ?? passedOverFor?.date ?? null };
      });
      const replacements = new ProductReplacements(dated, (kb) => this.#onlyOffered(kb, product));
      const resolution = new KbResolution(
        replacements,
        (kb) => this.#productsOfKb.get(kb) ?? new Set(),
      );
      const contradictions = contradictionsOn(replacements, (kb) => dates.of(kb));
      this.#products.set(product, { product, replacements, resolution, contradictions });
    }
  }

  /** In the order of their first KB. */
  get products(): Iterable<ProductConclusions> {
    return this.#products.values();
  }

  ofProduct(name: string): ProductConclusions {
    const found = this.#products.get(name);
    if (found === undefined) throw new Error(`no KB is for ${name}`);
    return found;
  }

  releaseDate(kb: string): ReleaseDate {
    return this.#dates.of(kb);
  }

  #place(
    rows: readonly KbForProduct[],
    separate: ReadonlySet<string>,
  ): ReadonlyMap<string, readonly PlacedKb[]> {
    const typesOfKb = new Map<string, Set<string>>();
    for (const { kb, product, updateTypes } of rows) {
      this.#productsOfKb.set(kb, (this.#productsOfKb.get(kb) ?? new Set()).add(product.name));
      if (isWindows(product.name, product.family))
        typesOfKb.set(kb, (typesOfKb.get(kb) ?? new Set<string>()).union(updateTypes));
    }
    const context = {
      families: new ServicingFamilies(rows),
      typesOf: (kb: string) => typesOfKb.get(kb) ?? new Set<string>(),
      updateOf: ({ kb, product }: KbForProduct) => this.updateFor(kb, product.name),
      isStatedSeparate: (kb: string) => separate.has(kb),
    };
    return new Map(
      [...Map.groupBy(rows, (row) => row.product.name)].map(([product, ofProduct]) => [
        product,
        placeKbs(ofProduct, context),
      ]),
    );
  }

  /** The update of the KB that is certainly the one for the product. */
  updateFor(kb: string, productName: string): OfferedUpdate | null {
    const asked = { productName, architecture: architecturesOf(productName) };
    return matchUpdate(asked, this.#offered.ofKb(kb)).update;
  }

  /** Update rollups and others that fix no vulnerability are not in the guide. */
  #onlyOffered(kb: string, productName: string): ProductKb | null {
    const update = this.updateFor(kb, productName);
    if (update === null) return null;
    return {
      kb,
      line: lineOfTitle(update.title),
      build: null,
      releaseDate: update.releaseDate,
      notBefore: update.releaseDate,
      row: null,
      update,
    };
  }
}
