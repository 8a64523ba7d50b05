/** Concludes facts about the guide's KBs, product by product, before they are worded. */
import type { KbForProduct } from '../guide/kb-for-product.ts';
import type { MsrcDocument } from '../guide/msrc-document.ts';
import type { Revision, Vulnerability } from '../guide/msrc-fixes.ts';
import { getTitleLine } from '../names/kb-lines.ts';
import { parseArchitectures } from '../names/windows-product.ts';
import type { OfferedUpdate, OfferedUpdates } from '../scan-file/offered-updates.ts';
import { findReplacementsByBuild } from './build-order.ts';
import { compareBuilds } from './fixed-build.ts';
import { type Contradiction, findContradictions } from './kb-contradictions.ts';
import { type DatedKb, KbReleaseDates, type ReleaseDate } from './kb-release-dates.ts';
import { KbResolution } from './kb-resolution.ts';
import { determineLines, type PlacedKb, type ProductKb, placeKbs } from './product-kbs.ts';
import { ProductReplacements } from './product-replacements.ts';
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

interface KbDocuments {
  /** By KB: the documents that name it, with the number of its fixes in each. */
  readonly documentsByKb: ReadonlyMap<string, ReadonlyMap<MsrcDocument, number>>;
  /** By KB: revisions of the documents' statements about it. */
  readonly revisionsByKb: ReadonlyMap<string, ReadonlyMap<string, Revision>>;
}

/** @param products the KBs of each product */
function collectDatedKbs(
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

/** Matches "These packages must be installed in addition to the normal security updates to be protected from this vulnerability." */
const additional =
  /\binstall(?:ed)? (?:\w+ ){0,2}in addition to (?:the|your|any|other) (?:\w+ ){0,3}(?:security|cumulative|quality) updates?\b/i;

/**
 * Returns the KBs that Microsoft installs beside the cumulative updates, such as those for the Secure Boot database: all of their
 * vulnerabilities state it. A cumulative update also fixes others.
 */
export function findSeparateKbs(
  rows: readonly Pick<KbForProduct, 'kb' | 'ratings'>[],
  vulnerabilities: ReadonlyMap<string, Pick<Vulnerability, 'guidance'>>,
): ReadonlySet<string> {
  const separateCves = new Set(
    [...vulnerabilities]
      .filter(([, { guidance }]) =>
        guidance.faq.some(({ answer }) => answer !== null && additional.test(answer)),
      )
      .map(([cve]) => cve),
  );
  const kbs = new Map<string, boolean>();
  for (const { kb, ratings } of rows)
    kbs.set(kb, (kbs.get(kb) ?? true) && ratings.size > 0 && separateCves.isSupersetOf(ratings));
  return new Set([...kbs].filter(([, isSeparate]) => isSeparate).map(([kb]) => kb));
}
