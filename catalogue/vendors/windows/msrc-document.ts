/** A document of the security update guide as the source of what is said of a KB. */
import { vendorDate } from '../../values/vendor-dates.ts';
import type { MsrcProduct } from './msrc-products.ts';

export class MsrcDocument {
  /** '2026-May' */
  readonly id: string;
  readonly url: string;
  readonly #products = new Map<string, MsrcProduct>();
  #date: number | null = null;

  constructor(url: string) {
    this.url = url;
    this.id = url.slice(url.lastIndexOf('/') + 1);
  }

  /** Its initial release, epoch milliseconds; null when it does not state one. */
  get date(): number | null {
    return this.#date;
  }

  setDate(written: string | null): void {
    this.#date = vendorDate(written);
  }

  /** How this document describes the product. The words of a product tree count before those beside it. */
  product(id: string): MsrcProduct | undefined {
    return this.#products.get(id);
  }

  addProduct(product: MsrcProduct): void {
    if ((this.#products.get(product.id)?.family ?? null) === null)
      this.#products.set(product.id, product);
  }

  /** Frees what no KB of this document needs: most products are of Azure Linux and Chromium. */
  keepProducts(ids: ReadonlySet<string>): void {
    for (const id of this.#products.keys()) if (!ids.has(id)) this.#products.delete(id);
  }
}

/** By date; of two documents of one date, or without, the one with the higher id is the newer. */
export function compareDocuments(a: MsrcDocument, b: MsrcDocument): number {
  return (a.date ?? 0) - (b.date ?? 0) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
