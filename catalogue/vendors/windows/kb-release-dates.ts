/**
 * When a KB was released, and who says so. Only a date that a document states is ever taken. Of several the first of these:
 * 1. a date of its updates in the offline scan file: the one on the day of the guide's document below, else the one that most updates have;
 * 2. the initial release of the guide's document in which most of its fixes stand; of several alike the earliest.
 * A date that lies before that of a KB that this one replaces gives way to the next of these, where that one does not.
 */
import type { MsrcDocument } from './msrc-document.ts';
import { compareNaturally } from './natural-order.ts';
import type { OfferedUpdates } from './offered-updates.ts';

export interface StatedDate {
  /** Epoch milliseconds. */
  readonly date: number;
  readonly source: DateSource;
  /** How many updates of the KB have it, or how many of the KB's fixes stand in the document. */
  readonly count: number;
}

/** The offline scan file, or a document of the guide. */
export type DateSource = 'scan' | MsrcDocument;

export interface ReleaseDate {
  /** Null when no document states one. */
  readonly taken: StatedDate | null;
  /** All that is stated, in the order in which it counts. */
  readonly stated: readonly StatedDate[];
  /** A replaced KB whose date lies after the first stated date, which was passed over for it; null when none was. */
  readonly passedOverFor: string | null;
}

export interface DatedKb {
  /** The documents that name the KB, with the number of its fixes in each. */
  readonly namedIn: ReadonlyMap<MsrcDocument, number>;
  /** The KBs that it replaces on some product, as the guide says or as its higher build shows. */
  readonly replaces: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export class KbReleaseDates {
  readonly #kbs: ReadonlyMap<string, DatedKb>;
  readonly #offered: OfferedUpdates;
  readonly #resolved = new Map<string, ReleaseDate>();
  readonly #resolving = new Set<string>();

  constructor(kbs: ReadonlyMap<string, DatedKb>, offered: OfferedUpdates) {
    this.#kbs = kbs;
    this.#offered = offered;
    // In one order whatever the documents': in a circle of replacements the first is dated without the others.
    for (const kb of [...kbs.keys()].toSorted(compareNaturally)) this.of(kb);
  }

  of(kb: string): ReleaseDate {
    const known = this.#resolved.get(kb);
    if (known !== undefined) return known;
    this.#resolving.add(kb);
    const found = this.#resolve(kb);
    this.#resolving.delete(kb);
    this.#resolved.set(kb, found);
    return found;
  }

  #resolve(kb: string): ReleaseDate {
    const namedIn = this.#kbs.get(kb)?.namedIn ?? new Map<MsrcDocument, number>();
    const documents = statedIn(namedIn);
    const scan = statedByScan(this.#offered.ofKb(kb), documents[0]?.date ?? null);
    const stated = [...scan, ...documents];
    const most = documents.filter(({ count }) => count === documents[0]?.count);
    const [first, ...others] = [...scan, ...most];
    if (first === undefined) return { taken: null, stated, passedOverFor: null };
    const replaced = this.#newestReplaced(kb);
    if (replaced === null || !isBefore(first, replaced.stated))
      return { taken: first, stated, passedOverFor: null };
    const next = others.find((other) => !isBefore(other, replaced.stated));
    return next === undefined
      ? { taken: first, stated, passedOverFor: null }
      : { taken: next, stated, passedOverFor: replaced.kb };
  }

  #newestReplaced(kb: string): { readonly kb: string; readonly stated: StatedDate } | null {
    const replaced = [
      ...(this.#kbs.get(kb)?.replaces ?? none).union(this.#offered.replacedBy(kb)),
    ].toSorted(compareNaturally);
    let newest: { kb: string; stated: StatedDate } | null = null;
    for (const older of replaced) {
      if (older === kb || this.#resolving.has(older)) continue;
      const stated = this.of(older).taken;
      if (stated !== null && (newest === null || stated.date > newest.stated.date))
        newest = { kb: older, stated };
    }
    return newest;
  }
}

/** Most fixes first, of several alike the earliest. A document without a date states none. */
function statedIn(namedIn: ReadonlyMap<MsrcDocument, number>): StatedDate[] {
  return [...namedIn]
    .flatMap(([source, count]) =>
      source.date === null ? [] : [{ date: source.date, source, count }],
    )
    .toSorted(
      (a, b) => b.count - a.count || a.date - b.date || compareNaturally(a.source.id, b.source.id),
    );
}

/** By day, as updates of one release differ by minutes; a day's date is its earliest. */
function statedByScan(
  updates: readonly { readonly releaseDate: number | null }[],
  guideDate: number | null,
): StatedDate[] {
  const dates = updates.flatMap(({ releaseDate }) => releaseDate ?? []);
  const days = [...Map.groupBy(dates, dayOf)].map(([day, ofDay]) => ({
    day,
    date: Math.min(...ofDay),
    count: ofDay.length,
  }));
  const ofGuide = guideDate === null ? null : dayOf(guideDate);
  return days
    .toSorted(
      (a, b) =>
        Number(b.day === ofGuide) - Number(a.day === ofGuide) ||
        b.count - a.count ||
        a.date - b.date,
    )
    .map(({ date, count }) => ({ date, source: 'scan', count }));
}

/** By day: sources differ in the time of day that they give one release. */
function isBefore(a: StatedDate, b: StatedDate): boolean {
  return dayOf(a.date) < dayOf(b.date);
}

/** Days since 1970, UTC. */
export function dayOf(date: number): number {
  return Math.floor(date / 86_400_000);
}
