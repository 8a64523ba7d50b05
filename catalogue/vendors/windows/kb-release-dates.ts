/**
 * When a KB was released, and who says so. Only a date that a document states is ever taken. Of several the first of these:
 * 1. a date of its updates in the offline scan file: the one on the day of the guide's document below, else the one that most updates have;
 * 2. the initial release of the guide's document in which most of its fixes stand; of several alike the earliest.
 * A date is impossible that lies before that of a KB that this one replaces, or long before those of KBs with lower numbers: a later KB
 * was added to an older document. It gives way to the next of these, then to the one day on which the document was published anew
 * (its revision) that is possible; else no document states the day, and it is left open.
 */

import { compareNaturally } from './compare-naturally.ts';
import { KbNumberOrder } from './kb-number-order.ts';
import type { MsrcDocument } from './msrc-document.ts';
import type { Revision } from './msrc-fixes.ts';
import type { OfferedUpdates } from './offered-updates.ts';
import { stronglyConnected } from './strongly-connected.ts';

export interface StatedDate {
  /** Epoch milliseconds. */
  readonly date: number;
  readonly source: DateSource;
  /** How many updates of the KB have it, or how many of the KB's fixes stand in the document. */
  readonly count: number;
  /** The day of a revision of the document, not of its first release. */
  readonly isRevision?: true;
}

/** The offline scan file, or a document of the guide. */
export type DateSource = 'scan' | MsrcDocument;

export interface ReleaseDate {
  /** Null when no document states one. */
  readonly taken: StatedDate | null;
  /** All that is stated, in the order in which it counts. */
  readonly stated: readonly StatedDate[];
  /** Why the first stated date was passed over; null when it was not. */
  readonly passedOverFor: Bound | null;
}

/** A KB cannot be earlier. */
export interface Bound {
  /** Epoch milliseconds. */
  readonly date: number;
  /** The KB that it replaces and that is of the date; null: KBs with lower numbers are. */
  readonly kb: string | null;
}

export interface DatedKb {
  /** The documents that name the KB, with the number of its fixes in each. */
  readonly namedIn: ReadonlyMap<MsrcDocument, number>;
  readonly revisions: readonly Revision[];
  /** The KBs that it replaces on some product, as the guide says or as its higher build shows. */
  readonly replaces: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export class KbReleaseDates {
  readonly #kbs: ReadonlyMap<string, DatedKb>;
  readonly #offered: OfferedUpdates;
  readonly #numbers: KbNumberOrder;
  readonly #resolved = new Map<string, ReleaseDate>();
  /** KBs that replace each other, directly or through others: their replacements say nothing of their dates. */
  readonly #circleOf: ReadonlyMap<string, unknown>;

  constructor(kbs: ReadonlyMap<string, DatedKb>, offered: OfferedUpdates) {
    this.#kbs = kbs;
    this.#offered = offered;
    this.#numbers = new KbNumberOrder(
      new Map(
        [...kbs.keys()].flatMap((kb) => {
          const first = this.#statements(kb).first[0];
          return first === undefined ? [] : [[kb, first.date] as const];
        }),
      ),
    );
    this.#circleOf = stronglyConnected(kbs.keys(), (kb) => this.#replacedBy(kb));
  }

  of(kb: string): ReleaseDate {
    const known = this.#resolved.get(kb);
    if (known !== undefined) return known;
    const found = this.#resolve(kb);
    this.#resolved.set(kb, found);
    return found;
  }

  #resolve(kb: string): ReleaseDate {
    const { stated, first, revisions } = this.#statements(kb);
    const [usual] = first;
    if (usual === undefined) return { taken: null, stated, passedOverFor: null };
    const replaced = this.#newestReplaced(kb);
    const numbered = this.#numbers.earliest(kb);
    const isReplaced = (date: number) => replaced !== null && isBefore(date, replaced.date);
    const isPossible = ({ date }: StatedDate) =>
      !isReplaced(date) && !this.#numbers.isTooEarly(kb, date);
    if (isPossible(usual)) return { taken: usual, stated, passedOverFor: null };
    const taken =
      first.find(isPossible) ??
      revisionOfKb(revisions.filter(isPossible), ({ date }) => this.#numbers.isNear(kb, date));
    const passedOverFor =
      isReplaced(usual.date) || numbered === null ? replaced : { date: numbered, kb: null };
    return {
      taken,
      stated: taken?.isRevision ? [...stated, taken] : stated,
      passedOverFor,
    };
  }

  /** `first`: those that date the KB, in the order in which they count. */
  #statements(kb: string) {
    const { namedIn = new Map<MsrcDocument, number>(), revisions = [] } = this.#kbs.get(kb) ?? {};
    const documents = statedIn(namedIn);
    const scan = statedByScan(this.#offered.ofKb(kb), documents[0]?.date ?? null);
    const most = documents.filter(({ count }) => count === documents[0]?.count);
    return {
      stated: [...scan, ...documents],
      first: [...scan, ...most],
      revisions: revisions
        .map(({ document, ...revision }) => ({
          ...revision,
          source: document,
          isRevision: true as const,
        }))
        .toSorted((a, b) => a.date - b.date || compareNaturally(a.source.id, b.source.id)),
    };
  }

  #replacedBy(kb: string): ReadonlySet<string> {
    return (this.#kbs.get(kb)?.replaces ?? none).union(this.#offered.replacedBy(kb));
  }

  /** Of those of which no document states a day, the bound of their own. */
  #newestReplaced(kb: string): Bound | null {
    const circle = this.#circleOf.get(kb);
    let newest: Bound | null = null;
    for (const older of [...this.#replacedBy(kb)].toSorted(compareNaturally)) {
      if (older === kb || (circle !== undefined && circle === this.#circleOf.get(older))) continue;
      const { taken, passedOverFor } = this.of(older);
      const date = taken?.date ?? passedOverFor?.date ?? null;
      if (date === null) continue;
      if (passedOverFor === null && this.#numbers.isTooLate(older, date)) continue;
      if (newest === null || date > newest.date) newest = { kb: older, date };
    }
    return newest;
  }
}

/** The first whose words name the KB; else the only one that is near: of several days it is not known which one added it. */
function revisionOfKb(
  revisions: readonly (StatedDate & { readonly namesKb: boolean })[],
  isNear: (revision: StatedDate) => boolean,
): StatedDate | null {
  const naming = revisions.find(({ namesKb }) => namesKb);
  if (naming !== undefined) return naming;
  const near = revisions.filter(isNear);
  const isOneDay = new Set(near.map(({ date }) => dayOf(date))).size === 1;
  return isOneDay ? (near[0] ?? null) : null;
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
function isBefore(a: number, b: number): boolean {
  return dayOf(a) < dayOf(b);
}

/** Days since 1970, UTC. */
export function dayOf(date: number): number {
  return Math.floor(date / 86_400_000);
}
