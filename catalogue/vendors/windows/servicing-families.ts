/**
 * Branches of Windows that share their updates: 10.0.19044 and 10.0.19045 get one KB each month, with one revision. Which those are is
 * told by the KBs: two branches belong together when some KB brings both to the same revision.
 */
import { type FixedBuild, fixedBuildOf } from './fixed-build.ts';
import type { KbForProduct } from './kb-for-product.ts';

export class ServicingFamilies {
  readonly #parents = new Map<string, string>();
  readonly #branchesOfKb = new Map<string, Set<string>>();

  constructor(rows: Iterable<Pick<KbForProduct, 'kb' | 'product' | 'fixedBuilds'>>) {
    const byRevision = new Map<string, Set<string>>();
    for (const row of rows) {
      for (const { branch, order } of buildsOfRow(row)) {
        if (!branch.startsWith('10.')) continue;
        add(byRevision, `${row.kb} ${order.join('.')}`, branch);
        add(this.#branchesOfKb, row.kb, branch);
      }
    }
    for (const [first, ...others] of byRevision.values())
      for (const other of others) if (first !== undefined) this.#join(first, other);
  }

  /** One name for all branches that share their updates. */
  of(branch: string): string {
    const parent = this.#parents.get(branch);
    return parent === undefined ? branch : this.of(parent);
  }

  /**
   * A cumulative update is made for one family. A KB with builds of several is a package of its own beside them, such as the one for
   * the Secure Boot database: no cumulative update holds it, whatever the builds that it names.
   */
  isStandalone(kb: string): boolean {
    return (
      new Set([...(this.#branchesOfKb.get(kb) ?? [])].map((branch) => this.of(branch))).size > 1
    );
  }

  #join(a: string, b: string): void {
    const [from, to] = [this.of(a), this.of(b)].toSorted();
    if (from !== undefined && to !== undefined && from !== to) this.#parents.set(to, from);
  }
}

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
