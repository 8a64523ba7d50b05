/** Concludes facts about the guide's KBs, product by product, before they are worded. */
import type { KbForProduct } from '../guide/kb-for-product.ts';
import type { Vulnerability } from '../guide/msrc-fixes.ts';
import { getTitleLine } from '../names/kb-lines.ts';
import { parseArchitectures } from '../names/windows-product.ts';
import type { OfferedUpdate, OfferedUpdates } from '../scan-file/offered-updates.ts';
import { collectDatedKbs, type KbDocuments } from './dated-kbs.ts';
import { type Contradiction, findContradictions } from './kb-contradictions.ts';
import { KbReleaseDates, type ReleaseDate } from './kb-release-dates.ts';
import { KbResolution } from './kb-resolution.ts';
import { determineLines } from './lines-of-kbs.ts';
import { type PlacedKb, type ProductKb, placeKbs } from './product-kbs.ts';
import { ProductReplacements } from './product-replacements.ts';
import { findSeparateKbs } from './separate-kbs.ts';
import { ServicingFamilies } from './servicing-families.ts';
import { matchUpdate } from './update-of-kb.ts';

export interface ProductConclusions {
  readonly product: string;
  readonly replacements: ProductReplacements;
  readonly resolution: KbResolution;
  readonly contradictions: readonly Contradiction[];
}

export class KbConclusions {
  readonly #dates: KbReleaseDates;
  readonly #offered: OfferedUpdates;
  readonly #productsByKb = new Map<string, Set<string>>();
  readonly #products = new Map<string, ProductConclusions>();

  constructor(
    rows: readonly KbForProduct[],
    documents: KbDocuments,
    offered: OfferedUpdates,
    vulnerabilities: ReadonlyMap<string, Pick<Vulnerability, 'guidance'>>,
  ) {
    this.#offered = offered;
    const placed = this.#placeAll(rows, findSeparateKbs(rows, vulnerabilities));
    const dates = new KbReleaseDates(collectDatedKbs(placed.values(), documents), offered);
    this.#dates = dates;
    for (const [product, kbs] of placed) {
      const dated = kbs.map((kb) => {
        const { taken, passedOverFor } = dates.getReleaseDate(kb.kb);
        const releaseDate = taken?.date ?? null;
        return { ...kb, releaseDate, notBefore: releaseDate ?? passedOverFor?.date ?? null };
      });
      const replacements = new ProductReplacements(dated, (kb) =>
        this.#describeOffered(kb, product),
      );
      const resolution = new KbResolution(
        replacements,
        (kb) => this.#productsByKb.get(kb) ?? new Set(),
      );
      const contradictions = findContradictions(replacements, (kb) => dates.getReleaseDate(kb));
      this.#products.set(product, { product, replacements, resolution, contradictions });
    }
  }

  /** In the order of their first KB. */
  get products(): Iterable<ProductConclusions> {
    return this.#products.values();
  }

  getProduct(name: string): ProductConclusions {
    const found = this.#products.get(name);
    if (found === undefined) throw new Error(`no KB is for ${name}`);
    return found;
  }

  getReleaseDate(kb: string): ReleaseDate {
    return this.#dates.getReleaseDate(kb);
  }

  #placeAll(
    rows: readonly KbForProduct[],
    separate: ReadonlySet<string>,
  ): ReadonlyMap<string, readonly PlacedKb[]> {
    for (const { kb, product } of rows)
      this.#productsByKb.set(kb, (this.#productsByKb.get(kb) ?? new Set()).add(product.name));
    const families = new ServicingFamilies(rows);
    const context = {
      families,
      lines: determineLines(rows, { families, offered: this.#offered, separate }),
      findUpdate: ({ kb, product }: KbForProduct) => this.findUpdate(kb, product.name),
    };
    return new Map(
      [...Map.groupBy(rows, (row) => row.product.name)].map(([product, ofProduct]) => [
        product,
        placeKbs(ofProduct, context),
      ]),
    );
  }

  /** Returns the KB's update that certainly matches the product. */
  findUpdate(kb: string, productName: string): OfferedUpdate | null {
    const target = { productName, architecture: parseArchitectures(productName) };
    return matchUpdate(target, this.#offered.listUpdates(kb)).update;
  }

  /** Describes a KB that the guide lacks, such as an update rollup that fixes no vulnerability. */
  #describeOffered(kb: string, productName: string): ProductKb | null {
    const update = this.findUpdate(kb, productName);
    if (update === null) return null;
    return {
      kb,
      line: getTitleLine(update.title),
      build: null,
      isOrderedByDay: true,
      releaseDate: update.releaseDate,
      notBefore: update.releaseDate,
      row: null,
      update,
    };
  }
}
