/** Places in an order that were scanned past, so that the next scan to a far page begins near it. They hold while the list's revision is the same. */
import { LRUCache } from 'lru-cache';

export interface KeysetBookmark {
  /** Rows before it, it included. */
  readonly place: number;
  /** Of the row at the place: what it is sorted by, and its id. */
  readonly value: unknown;
  readonly id: number;
}

const maxOrders = 100;

export class KeysetCache {
  readonly #orders = new LRUCache<
    string,
    { readonly revision: number; readonly marks: KeysetBookmark[] }
  >({
    max: maxOrders,
  });

  /** The last mark of the order that is not behind the place; null when there is none. */
  before(order: string, revision: number, place: number): KeysetBookmark | null {
    const known = this.#orders.get(order);
    return known?.revision === revision
      ? (known.marks.findLast((mark) => mark.place <= place) ?? null)
      : null;
  }

  keep(order: string, revision: number, mark: KeysetBookmark): void {
    const known = this.#orders.get(order);
    const marks = known?.revision === revision ? known.marks : [];
    if (marks.some(({ place }) => place === mark.place)) return;
    marks.push(mark);
    marks.sort((a, b) => a.place - b.place);
    this.#orders.set(order, { revision, marks });
  }
}
