/**
 * Which KB replaces which, product by product: a KB that another one replaces on Windows 11 is still the newest on the server
 * that the other one is not for.
 */
import type { KbForProduct } from './kb-for-product.ts';
import { naturally } from './natural-order.ts';

export interface LinkedKb {
  readonly kb: string;
  readonly releaseDate: number | null;
  /** False: through others. */
  readonly direct: boolean;
  /** Of the KBs of the chain, itself included, those that it replaces directly. */
  readonly replaces: readonly string[];
}

const none: ReadonlySet<string> = new Set();

interface OfProduct {
  readonly supersedes: Map<string, ReadonlySet<string>>;
  readonly supersededBy: Map<string, Set<string>>;
}

export class KbChains {
  readonly #products = new Map<string, OfProduct>();
  readonly #productsOf = new Map<string, Set<string>>();
  readonly #releaseDates = new Map<string, number | null>();

  constructor(rows: Iterable<Pick<KbForProduct, 'kb' | 'product' | 'supersedes'>>, dateOf: (kb: string) => number | null) {
    for (const { kb, product, supersedes } of rows) {
      this.#releaseDates.set(kb, dateOf(kb));
      this.#productsOf.set(kb, (this.#productsOf.get(kb) ?? new Set()).add(product.name));
      let ofProduct = this.#products.get(product.name);
      if (ofProduct === undefined) this.#products.set(product.name, (ofProduct = { supersedes: new Map(), supersededBy: new Map() }));
      ofProduct.supersedes.set(kb, new Set(supersedes.keys()));
      for (const older of supersedes.keys()) ofProduct.supersededBy.set(older, (ofProduct.supersededBy.get(older) ?? new Set()).add(kb));
    }
  }

  /** The KBs that replace it in the product directly. */
  supersededBy(kb: string, product: string): string[] {
    return [...(this.#products.get(product)?.supersededBy.get(kb) ?? [])].toSorted(naturally);
  }

  /** All that it replaces in the product, newest first. */
  older(kb: string, product: string): LinkedKb[] {
    return this.#walk(kb, product, 'supersedes');
  }

  /** All that replace it in the product, newest first. */
  newer(kb: string, product: string): LinkedKb[] {
    return this.#walk(kb, product, 'supersededBy');
  }

  /**
   * Of those that replace it and are not replaced themselves, one for the same products as it before others, then the newest;
   * itself when nothing replaces it. In a circle the newest of all.
   */
  latest(kb: string, product: string): string {
    const newer = this.newer(kb, product);
    const last = newer.filter((candidate) => this.supersededBy(candidate.kb, product).length === 0);
    const found = last.find((candidate) => this.#forSameProducts(candidate.kb, kb)) ?? last[0];
    if (found !== undefined) return found.kb;
    const circle = [...newer, { kb, releaseDate: this.#releaseDates.get(kb) ?? null }];
    return circle.toSorted(newestFirst)[0]?.kb ?? kb;
  }

  #forSameProducts(one: string, other: string): boolean {
    return (this.#productsOf.get(one) ?? none).symmetricDifference(this.#productsOf.get(other) ?? none).size === 0;
  }

  #walk(start: string, product: string, way: keyof OfProduct): LinkedKb[] {
    const ofProduct = this.#products.get(product);
    if (ofProduct === undefined) return [];
    const direct = new Set(ofProduct[way].get(start));
    const met = new Set(direct);
    for (const kb of met) for (const next of ofProduct[way].get(kb) ?? none) if (next !== start) met.add(next);
    return [...met]
      .map((kb) => ({
        kb,
        releaseDate: this.#releaseDates.get(kb) ?? null,
        direct: direct.has(kb),
        replaces: [...(ofProduct.supersedes.get(kb) ?? none)].filter((older) => older === start || met.has(older)).toSorted(naturally),
      }))
      .toSorted(newestFirst);
  }
}

type Dated = Pick<LinkedKb, 'kb' | 'releaseDate'>;

/** KBs that no document describes have no date and come last. */
function newestFirst(one: Dated, other: Dated): number {
  return (other.releaseDate ?? 0) - (one.releaseDate ?? 0) || naturally(other.kb, one.kb);
}
