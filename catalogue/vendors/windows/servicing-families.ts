/**
 * Branches of Windows that share their updates: 10.0.19044 and 10.0.19045 get one KB each month, with one revision. Which those are is
 * told by the KBs: two branches belong together when some KB brings both to the same revision.
 */
import { type FixedBuild, fixedBuildOf } from './fixed-build.ts';
import type { KbForProduct } from './kb-for-product.ts';

type RowWithBuilds = Pick<KbForProduct, 'kb' | 'product' | 'fixedBuilds'>;

export class ServicingFamilies {
  readonly #parents = new Map<string, string>();
  readonly #familyOfProduct = new Map<string, string>();
  readonly #familiesOfKb = new Map<string, Set<string>>();

  constructor(rows: readonly RowWithBuilds[]) {
    const byRevision = new Map<string, Set<string>>();
    for (const row of rows)
      for (const { branch, order } of windowsBuilds(row))
        add(byRevision, `${row.kb} ${order.join('.')}`, branch);
    for (const [first, ...others] of byRevision.values())
      for (const other of others) if (first !== undefined) this.#join(first, other);
    for (const [product, ofProduct] of Map.groupBy(rows, (row) => row.product.name)) {
      const family = this.#mostNamed(ofProduct);
      if (family !== null) this.#familyOfProduct.set(product, family);
    }
    for (const row of rows) {
      const family = this.#familyOfProduct.get(row.product.name);
      const isOwn = windowsBuilds(row).some(({ branch }) => this.of(branch) === family);
      if (isOwn && family !== undefined) add(this.#familiesOfKb, row.kb, family);
    }
  }

  /** One name for all branches that share their updates. */
  of(branch: string): string {
    const parent = this.#parents.get(branch);
    return parent === undefined ? branch : this.of(parent);
  }

  /** That most KBs of the product name, for documents name a build of another product at times; null where no KB names a build. */
  ofProduct(product: string): string | null {
    return this.#familyOfProduct.get(product) ?? null;
  }

  /**
   * A cumulative update is made for one family. A KB with builds of several, each on products of its own, is a package beside the
   * cumulative updates, such as the one for the Secure Boot database: none of them holds it, whatever the builds that it names.
   */
  isSpread(kb: string): boolean {
    return (this.#familiesOfKb.get(kb)?.size ?? 0) > 1;
  }

  #mostNamed(rows: readonly RowWithBuilds[]): string | null {
    const counts = new Map<string, number>();
    for (const row of rows)
      for (const family of new Set(buildsOfRow(row).map(({ branch }) => this.of(branch))))
        counts.set(family, (counts.get(family) ?? 0) + 1);
    const [most] = [...counts].toSorted(
      ([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1),
    );
    return most?.[0] ?? null;
  }

  #join(a: string, b: string): void {
    const [from, to] = [this.of(a), this.of(b)].toSorted();
    if (from !== undefined && to !== undefined && from !== to) this.#parents.set(to, from);
  }
}

/** Of Windows 10 and later. */
const windowsBuilds = (row: RowWithBuilds) =>
  buildsOfRow(row).filter(({ branch }) => branch.startsWith('10.'));

export function buildsOfRow({
  product,
  fixedBuilds,
}: Pick<KbForProduct, 'product' | 'fixedBuilds'>): FixedBuild[] {
  return [...fixedBuilds].flatMap(
    ([text, document]) => fixedBuildOf(product.name, text, document) ?? [],
  );
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key) ?? new Set<string>();
  map.set(key, values.add(value));
}
