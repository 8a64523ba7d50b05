/** What was counted of a list, kept while its revision is the same: rows change with syncs, people page and come back. */
import { LRUCache } from 'lru-cache';

export interface Known {
  readonly revision: number;
  readonly total: number;
  /** Rows of the whole list at that revision. */
  readonly listed: number;
  /** The index of words names few rows to look at. */
  readonly fewCandidates: boolean;
}

export class CountCache<Counted extends Pick<Known, 'revision'> = Known> {
  readonly #kept: LRUCache<string, Counted>;
  readonly #counting = new Map<string, Promise<Counted>>();

  constructor(maxKept = 2_000) {
    this.#kept = new LRUCache({ max: maxKept });
  }

  get(key: string): Counted | undefined {
    return this.#kept.get(key);
  }

  keep(key: string, known: Counted): void {
    this.#kept.set(key, known);
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }

  /** Counts once for all who ask for the same at the same time. */
  async count(key: string, count: () => Promise<Counted>): Promise<Counted> {
    const begun = this.#counting.get(key);
    if (begun !== undefined) return begun;
    const counting = count().finally(() => this.#counting.delete(key));
    this.#counting.set(key, counting);
    const known = await counting;
    this.keep(key, known);
    return known;
  }
}
