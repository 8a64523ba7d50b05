/** Determines which KB finally replaces a KB on a product, and which one to install there, with the evidence. */

import { compareNaturally } from '../names/compare-naturally.ts';
import { isCumulative, isSpecial } from '../names/kb-lines.ts';
import { compareBuilds } from './fixed-build.ts';
import type { ProductKb } from './product-kbs.ts';
import type { ProductReplacements, Replacement } from './product-replacements.ts';

/** A KB of another KB's chain. */
export interface ChainKb {
  readonly kb: string;
  readonly releaseDate: number | null;
  /** False when it is replaced through others. */
  readonly direct: boolean;
  /** Links into the chain: replacements by a newer KB, or of an older one. */
  readonly replacements: readonly Replacement[];
  /** KBs of the chain, including the one in question, that it replaces directly. */
  readonly replaces: readonly string[];
}

export interface Resolution {
  /** End of the chain of replacements; the KB itself when none is known. */
  readonly latest: string;
  /** Null when the evidence names none. */
  readonly toInstall: string | null;
}

export class KbResolution {
  readonly #replacements: ProductReplacements;
  readonly #getProducts: (kb: string) => ReadonlySet<string>;
  /** The cumulative update with the highest build on the product; null when no build is known. */
  readonly newestCumulative: ProductKb | null;
  /** Number of cumulative updates that were compared for it. */
  readonly cumulativeCount: number;

  /** @param getProducts returns the names of a KB's products */
  constructor(replacements: ProductReplacements, getProducts: (kb: string) => ReadonlySet<string>) {
    this.#replacements = replacements;
    this.#getProducts = getProducts;
    const cumulative = [...replacements.kbs.values()].filter(
      ({ line, build }) => isCumulative(line) && build !== null,
    );
    this.cumulativeCount = cumulative.length;
    this.newestCumulative = cumulative.toSorted(highestFirst)[0] ?? null;
  }

  resolve(kb: string): Resolution {
    const latest = this.#latest(kb);
    return { latest, toInstall: this.#toInstall(kb, latest) };
  }

  /** Returns all KBs that it replaces, newest first. */
  older(kb: string): ChainKb[] {
    return this.#walk(
      kb,
      (current) => this.#replacements.older(current).map(({ older }) => older),
      'older',
    );
  }

  /** Returns all KBs that replace it, newest first. */
  newer(kb: string): ChainKb[] {
    return this.#walk(
      kb,
      (current) => this.#replacements.newer(current).map(({ newer }) => newer),
      'newer',
    );
  }

  #toInstall(kb: string, latest: string): string | null {
    const start = this.#replacements.kbs.get(kb);
    const end = this.#replacements.kbs.get(latest);
    const newest = this.newestCumulative;
    if (end !== undefined && isSpecial(end.line)) {
      const holdsIt = newest?.build && start?.build && compareBuilds(newest.build, start.build) > 0;
      return holdsIt ? newest.kb : null;
    }
    return end !== undefined && this.#isUnplaced(end) ? null : latest;
  }

  /** The product has later updates, and without a build it is unknown whether they contain this one. */
  #isUnplaced({ line, build, isOrderedByDay, notBefore }: ProductKb): boolean {
    const isOrdered = build !== null || (isCumulative(line) && isOrderedByDay);
    if (isOrdered || !(line === 'Security update' || isCumulative(line))) return false;
    const others = [...this.#replacements.kbs.values()].filter(
      (other) => other.line === line || isCumulative(other.line),
    );
    return others.some((other) => (other.notBefore ?? 0) > (notBefore ?? 0));
  }

  /** Prefers an end of the KB's own line, then one for the same products, then the highest build, then the newest. */
  #latest(kb: string): string {
    const line = this.#replacements.kbs.get(kb)?.line;
    const ends = this.newer(kb).filter((newer) => this.#replacements.newer(newer.kb).length === 0);
    const placed = ends.flatMap((end) => this.#replacements.kbs.get(end.kb) ?? []);
    const [first] = placed.toSorted(
      (a, b) =>
        Number(b.line === line) - Number(a.line === line) ||
        Number(this.#isForSameProducts(b.kb, kb)) - Number(this.#isForSameProducts(a.kb, kb)) ||
        highestFirst(a, b),
    );
    return first?.kb ?? kb;
  }

  #getOrder(kb: string): number {
    return this.#replacements.kbs.get(kb)?.notBefore ?? 0;
  }

  #isForSameProducts(a: string, b: string): boolean {
    return this.#getProducts(a).symmetricDifference(this.#getProducts(b)).size === 0;
  }

  #walk(start: string, step: (kb: string) => readonly string[], way: 'older' | 'newer'): ChainKb[] {
    const direct = new Set(step(start));
    const met = new Set(direct);
    for (const kb of met) for (const next of step(kb)) if (next !== start) met.add(next);
    const inChain = (kb: string) => kb === start || met.has(kb);
    return [...met]
      .map((kb) => {
        const down = this.#replacements.older(kb).filter(({ older }) => inChain(older));
        const replacements =
          way === 'newer'
            ? down
            : this.#replacements.newer(kb).filter(({ newer }) => inChain(newer));
        const releaseDate = this.#replacements.kbs.get(kb)?.releaseDate ?? null;
        return {
          kb,
          releaseDate,
          direct: direct.has(kb),
          replacements,
          replaces: down.map(({ older }) => older),
        };
      })
      .toSorted(
        (a, b) => this.#getOrder(b.kb) - this.#getOrder(a.kb) || compareNaturally(b.kb, a.kb),
      );
  }
}

function highestFirst(a: ProductKb, b: ProductKb): number {
  const byBuild =
    a.build && b.build
      ? compareBuilds(b.build, a.build)
      : Number(b.build !== null) - Number(a.build !== null);
  return byBuild || (b.notBefore ?? 0) - (a.notBefore ?? 0) || compareNaturally(b.kb, a.kb);
}
