/** The products of the security update guide, over all documents. An id is never given to another product; names and families change. */
import { isAzureLinux, isWindows } from './windows-product.ts';

export interface MsrcProduct {
  readonly id: string;
  readonly name: string;
  readonly family: string | null;
}

export class MsrcProducts {
  readonly #byId = new Map<string, { product: MsrcProduct; rank: number }>();
  #idsByName: Map<string, readonly string[]> | null = null;

  /** The newest document's words count, so that a product reads alike on all of its KBs; those of a product tree before those beside it. */
  add(product: MsrcProduct, documentDate: number | null): void {
    const rank = (documentDate ?? 0) + (product.family === null ? 0 : treeRank);
    const before = this.#byId.get(product.id);
    if (before === undefined || before.rank < rank) this.#byId.set(product.id, { product, rank });
    this.#idsByName = null;
  }

  get(id: string): MsrcProduct | undefined {
    return this.#byId.get(id)?.product;
  }

  /** Never in the list, whatever its fix is called. */
  isLeftOut(id: string): boolean {
    const product = this.get(id);
    return product !== undefined && isAzureLinux(product.name, product.family);
  }

  /** All products of that name, as the newest documents name them. */
  idsOfName(name: string): readonly string[] {
    if (this.#idsByName === null) {
      this.#idsByName = new Map();
      for (const [id, { product }] of this.#byId)
        this.#idsByName.set(product.name, [...(this.#idsByName.get(product.name) ?? []), id]);
    }
    return this.#idsByName.get(name) ?? [];
  }
}

/** Above all dates. */
const treeRank = 1e15;

/** '10853' of '10724-10853', which is a product (10724) inside of that one; the id itself where there is no other. */
export function hostIdOf(id: string): string {
  return id.slice(id.indexOf('-') + 1);
}

/** A product inside of another: '10724-10853' is Microsoft Edge (10724) on Windows 10 (10853). Null for one that stands for itself. */
function hostedProduct(
  product: MsrcProduct,
  describe: (id: string) => MsrcProduct | undefined,
): Folded | null {
  const id = hostIdOf(product.id);
  const on = product.name.lastIndexOf(' on ');
  if (id === product.id || on === -1) return null;
  const host = describe(id) ?? { id, name: product.name.slice(on + 4), family: null };
  return { product: host, part: product.name.slice(0, on) };
}

/** What a KB is for: each of its products stands for itself or is a part of another one of them. */
export interface Folded {
  readonly product: MsrcProduct;
  readonly part: string | null;
}

/**
 * A cumulative KB of Windows also names the browsers and frameworks that it contains ("Internet Explorer 11 on Windows 10 …"). It is
 * one package for one system: what it fixes there counts for the system. A KB that has no other products than those keeps them.
 */
export function foldProducts(
  ofKb: readonly MsrcProduct[],
  describe: (id: string) => MsrcProduct | undefined,
): ReadonlyMap<string, Folded> {
  const ids = new Set(ofKb.map(({ id }) => id));
  const forWindows = ofKb.some(({ name, family }) => isWindows(name, family));
  const folded = new Map<string, Folded>();
  for (const product of ofKb) {
    const hosted = hostedProduct(product, describe);
    const fold =
      hosted !== null &&
      (ids.has(hosted.product.id) ||
        (forWindows && isWindows(hosted.product.name, hosted.product.family)));
    folded.set(product.id, fold ? hosted : { product, part: null });
  }
  return folded;
}
