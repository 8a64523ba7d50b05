/**
 * Determines when a KB was released, and by which source. Only stated dates are taken, in this order:
 * 1. a date of its updates in the offline scan file: on the day of the guide's document below, else the date of most updates;
 * 2. the initial release of the guide's document with most of its fixes; of several, the earliest.
 * A date is impossible before that of a replaced KB, or long before those of KBs with lower numbers: then the KB was added to an older
 * document. The next possible date is taken, else the only possible day of a revision of the document; else the date stays unknown.
 */

import type { MsrcDocument } from '../guide/msrc-document.ts';
import type { Revision } from '../guide/msrc-fixes.ts';
import { compareNaturally } from '../names/compare-naturally.ts';
import type { OfferedUpdates } from '../scan-file/offered-updates.ts';
import { KbNumberOrder } from './kb-number-order.ts';
import { findCircles } from './strongly-connected.ts';

export interface StatedDate {
  /** Epoch milliseconds. */
  readonly date: number;
  readonly source: DateSource;
  /** Number of the KB's updates with the date, or of its fixes in the document. */
  readonly count: number;
  /** Set for the day of a document's revision instead of its first release. */
  readonly isRevision?: true;
}

/** The offline scan file, or a document of the guide. */
export type DateSource = 'scan' | MsrcDocument;

export interface ReleaseDate {
  /** Null when no document states one. */
  readonly taken: StatedDate | null;
  /** All stated dates in order of preference. */
  readonly stated: readonly StatedDate[];
  /** Why the first stated date was rejected; null when it was taken. */
  readonly passedOverFor: Bound | null;
}

/** Earliest possible date of a KB. */
export interface Bound {
  /** Epoch milliseconds. */
  readonly date: number;
  /** The replaced KB with that date; null when KBs with lower numbers have it. */
  readonly kb: string | null;
}

export interface DatedKb {
  /** The documents that name the KB, with the number of its fixes in each. */
  readonly fixCountByDocument: ReadonlyMap<MsrcDocument, number>;
  readonly revisions: readonly Revision[];
  /** KBs that it replaces on some product, by the guide or by its higher build. */
  readonly replaces: ReadonlySet<string>;
}

const emptySet: ReadonlySet<string> = new Set();

export class KbReleaseDates {
  readonly #kbs: ReadonlyMap<string, DatedKb>;
  readonly #offered: OfferedUpdates;
  readonly #numbers: KbNumberOrder;
  readonly #resolved = new Map<string, ReleaseDate>();
  /** KBs that replace each other, directly or through others: such replacements do not date them. */
  readonly #circleByKb: ReadonlyMap<string, unknown>;

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
    this.#circleByKb = findCircles(kbs.keys(), (kb) => this.#replacedBy(kb));
  }

  getReleaseDate(kb: string): ReleaseDate {
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
      chooseRevision(revisions.filter(isPossible), ({ date }) => this.#numbers.isNear(kb, date));
    const passedOverFor =
      isReplaced(usual.date) || numbered === null ? replaced : { date: numbered, kb: null };
    return {
      taken,
      stated: taken?.isRevision ? [...stated, taken] : stated,
      passedOverFor,
    };
  }

  /** `first` contains the dates of the KB itself, in order of preference. */
  #statements(kb: string) {
    const { fixCountByDocument = new Map<MsrcDocument, number>(), revisions = [] } =
      this.#kbs.get(kb) ?? {};
    const documents = listDocumentDates(fixCountByDocument);
    const scan = listScanDates(this.#offered.listUpdates(kb), documents[0]?.date ?? null);
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
    return (this.#kbs.get(kb)?.replaces ?? emptySet).union(this.#offered.replacedBy(kb));
  }

  /** Replaced KBs without a date count with their own bound. */
  #newestReplaced(kb: string): Bound | null {
    const circle = this.#circleByKb.get(kb);
    let newest: Bound | null = null;
    for (const older of [...this.#replacedBy(kb)].toSorted(compareNaturally)) {
      if (older === kb || (circle !== undefined && circle === this.#circleByKb.get(older)))
        continue;
      const { taken, passedOverFor } = this.getReleaseDate(older);
      const date = taken?.date ?? passedOverFor?.date ?? null;
      if (date === null) continue;
      if (passedOverFor === null && this.#numbers.isTooLate(older, date)) continue;
      if (newest === null || date > newest.date) newest = { kb: older, date };
    }
    return newest;
  }
}

/** Returns the first revision that names the KB, else the only near day: of several days, the one that added the KB is unknown. */
function chooseRevision(
  revisions: readonly (StatedDate & { readonly namesKb: boolean })[],
  isNear: (revision: StatedDate) => boolean,
): StatedDate | null {
  const naming = revisions.find(({ namesKb }) => namesKb);
  if (naming !== undefined) return naming;
  const near = revisions.filter(isNear);
  const isOneDay = new Set(near.map(({ date }) => toDay(date))).size === 1;
  return isOneDay ? (near[0] ?? null) : null;
}

/** Sorts by number of fixes, then the earliest first. A document without a date is left out. */
function listDocumentDates(fixCountByDocument: ReadonlyMap<MsrcDocument, number>): StatedDate[] {
  return [...fixCountByDocument]
    .flatMap(([source, count]) =>
      source.date === null ? [] : [{ date: source.date, source, count }],
    )
    .toSorted(
      (a, b) => b.count - a.count || a.date - b.date || compareNaturally(a.source.id, b.source.id),
    );
}

/** Groups by day, as updates of one release differ by minutes; a day's date is its earliest. */
function listScanDates(
  updates: readonly { readonly releaseDate: number | null }[],
  guideDate: number | null,
): StatedDate[] {
  const dates = updates.flatMap(({ releaseDate }) => releaseDate ?? []);
  const days = [...Map.groupBy(dates, toDay)].map(([day, ofDay]) => ({
    day,
    date: Math.min(...ofDay),
    count: ofDay.length,
  }));
  const guideDay = guideDate === null ? null : toDay(guideDate);
  return days
    .toSorted(
      (a, b) =>
        Number(b.day === guideDay) - Number(a.day === guideDay) ||
        b.count - a.count ||
        a.date - b.date,
    )
    .map(({ date, count }) => ({ date, source: 'scan', count }));
}

/** Compares days, as sources state different times of day for one release. */
function isBefore(a: number, b: number): boolean {
  return toDay(a) < toDay(b);
}

/** Days since 1970, UTC. */
export function toDay(date: number): number {
  return Math.floor(date / 86_400_000);
}
