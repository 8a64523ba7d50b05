/** The products of the security update guide, over all documents. An id is never given to another product; names and families change. */
import { naturally } from './natural-order.ts';
import { isAzureLinux, isWindows } from './windows-product.ts';

export interface MsrcProduct {
  readonly id: string;
  readonly name: string;
  readonly family: string | null;
}

/** A product inside of another: '10724-10853' is Microsoft Edge (10724) on Windows 10 (10853). */
export interface HostedProduct {
  readonly part: string;
  readonly host: MsrcProduct;
}

export class MsrcProducts {
  readonly #byId = new Map<string, { product: MsrcProduct; rank: number }>();

  /** The newest document's words count, so that a product reads alike on all of its KBs; those of a product tree before those beside it. */
  add(product: MsrcProduct, documentDate: number | null): void {
    const rank = (documentDate ?? 0) + (product.family === null ? 0 : treeRank);
    const before = this.#byId.get(product.id);
    if (before === undefined || before.rank < rank) this.#byId.set(product.id, { product, rank });
  }

  get(id: string): MsrcProduct | undefined {
    return this.#byId.get(id)?.product;
  }

  /** Never in the list, whatever its fix is called. */
  isLeftOut(id: string): boolean {
    const product = this.get(id);
    return product !== undefined && isAzureLinux(product.name, product.family);
  }

  /** Null for a product that stands for itself. */
  hosted(product: MsrcProduct): HostedProduct | null {
    const dash = product.id.indexOf('-');
    const on = product.name.lastIndexOf(' on ');
    if (dash === -1 || on === -1) return null;
    const id = product.id.slice(dash + 1);
    return { part: product.name.slice(0, on), host: this.get(id) ?? { id, name: product.name.slice(on + 4), family: null } };
  }
}

/** Above all dates. */
const treeRank = 1e15;

/** What a KB is for: each of its products stands for itself or is a part of another one of them. */
export interface Folded {
  readonly product: MsrcProduct;
  readonly part: string | null;
}

/**
 * A cumulative KB of Windows also names the browsers and frameworks inside of it ("Internet Explorer 11 on Windows 10 …"). It is
 * one package for one system: what it fixes there counts for the system. A KB that has no other products than those keeps them.
 */
export function foldProducts(products: MsrcProducts, ofKb: readonly MsrcProduct[]): Map<string, Folded> {
  const ids = new Set(ofKb.map(({ id }) => id));
  const forWindows = ofKb.some(({ name, family }) => isWindows(name, family));
  const folded = new Map<string, Folded>();
  for (const product of ofKb) {
    const hosted = products.hosted(product);
    const fold = hosted !== null && (ids.has(hosted.host.id) || (forWindows && isWindows(hosted.host.name, hosted.host.family)));
    folded.set(product.id, fold ? { product: hosted.host, part: hosted.part } : { product, part: null });
  }
  return folded;
}

/** A few products have two ids and one name: they are one to whoever reads the list, under the lower id. */
export function oneIdForEachName(products: Iterable<MsrcProduct>): Map<string, MsrcProduct> {
  const byName = new Map<string, MsrcProduct>();
  for (const product of products) {
    const before = byName.get(product.name);
    if (before === undefined || naturally(product.id, before.id) < 0) byName.set(product.name, product);
  }
  return byName;
}
