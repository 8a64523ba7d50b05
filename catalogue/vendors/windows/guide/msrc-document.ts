/** A document of the security update guide as a source of statements about KBs. */
import { vendorDate } from '../../../values/vendor-dates.ts';
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

  /** Initial release in epoch milliseconds; null when the document does not state it. */
  get date(): number | null {
    return this.#date;
  }

  setDate(written: string | null): void {
    this.#date = vendorDate(written);
  }

  /** Returns the document's description of a product. Those of a product tree are preferred. */
  product(id: string): MsrcProduct | undefined {
    return this.#products.get(id);
  }

  addProduct(product: MsrcProduct): void {
    if ((this.#products.get(product.id)?.family ?? null) === null)
      this.#products.set(product.id, product);
  }

  /** Frees products without a KB in this document: most are of Azure Linux and Chromium. */
  retainProducts(ids: ReadonlySet<string>): void {
    for (const id of this.#products.keys()) if (!ids.has(id)) this.#products.delete(id);
  }
}

/** Compares by date; for equal or missing dates the higher id is newer. */
export function compareDocuments(a: MsrcDocument, b: MsrcDocument): number {
  return (a.date ?? 0) - (b.date ?? 0) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
