/** Products of the security update guide across all documents. An id always means the same product; names and families change. */
import { isAzureLinux, isWindows } from '../names/windows-product.ts';

export interface MsrcProduct {
  readonly id: string;
  readonly name: string;
  readonly family: string | null;
}

export class MsrcProducts {
  readonly #byId = new Map<string, { product: MsrcProduct; rank: number }>();
  #idsByName: Map<string, readonly string[]> | null = null;

  /** Stores the newest document's words, so that a product reads the same on all KBs; those of a product tree are preferred. */
  add(product: MsrcProduct, documentDate: number | null): void {
    const rank = (documentDate ?? 0) + (product.family === null ? 0 : treeRank);
    const before = this.#byId.get(product.id);
    if (before === undefined || before.rank < rank) this.#byId.set(product.id, { product, rank });
    this.#idsByName = null;
  }

  get(id: string): MsrcProduct | undefined {
    return this.#byId.get(id)?.product;
  }

  /** Azure Linux is never listed, whatever its fixes are called. */
  isExcluded(id: string): boolean {
    const product = this.get(id);
    return product !== undefined && isAzureLinux(product.name, product.family);
  }

  /** Returns all products of that name, as the newest documents name them. */
  listIdsByName(name: string): readonly string[] {
    if (this.#idsByName === null) {
      this.#idsByName = new Map();
      for (const [id, { product }] of this.#byId)
        this.#idsByName.set(product.name, [...(this.#idsByName.get(product.name) ?? []), id]);
    }
    return this.#idsByName.get(name) ?? [];
  }
}

/** Higher than all dates. */
const treeRank = 1e15;

/** Returns '10853' for '10724-10853', which is a product (10724) inside that one; otherwise the id itself. */
export function getHostId(id: string): string {
  return id.slice(id.indexOf('-') + 1);
}

/** Returns a product inside another: '10724-10853' is Microsoft Edge (10724) on Windows 10 (10853). Null for other products. */
function findHostedProduct(
  product: MsrcProduct,
  describe: (id: string) => MsrcProduct | undefined,
): FoldedProduct | null {
  const id = getHostId(product.id);
  const on = product.name.lastIndexOf(' on ');
  if (id === product.id || on === -1) return null;
  const host = describe(id) ?? { id, name: product.name.slice(on + 4), family: null };
  return { product: host, part: product.name.slice(0, on) };
}

/** A product of a KB: itself, or a part of another product of the KB. */
export interface FoldedProduct {
  readonly product: MsrcProduct;
  readonly part: string | null;
}

/**
 * Merges parts into their products. A cumulative KB of Windows also names the browsers and frameworks that it contains ("Internet
 * Explorer 11 on Windows 10 …"); its fixes count for the system. A KB with such products only keeps them.
 */
export function foldProducts(
  ofKb: readonly MsrcProduct[],
  describe: (id: string) => MsrcProduct | undefined,
): ReadonlyMap<string, FoldedProduct> {
  const ids = new Set(ofKb.map(({ id }) => id));
  const forWindows = ofKb.some(({ name, family }) => isWindows(name, family));
  const folded = new Map<string, FoldedProduct>();
  for (const product of ofKb) {
    const hosted = findHostedProduct(product, describe);
    const fold =
      hosted !== null &&
      (ids.has(hosted.product.id) ||
        (forWindows && isWindows(hosted.product.name, hosted.product.family)));
    folded.set(product.id, fold ? hosted : { product, part: null });
  }
  return folded;
}
