/**
 * Numbers of KBs rise with time, though not strictly: Microsoft takes some of them weeks ahead. A date far before the dates of several
 * KBs with lower numbers is not the day of the KB: it was added to an older document.
 */
interface NumberedKb {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly date: number;
}

/** How far ahead of its release a number may be taken. */
const toleranceMs = 90 * 86_400_000;
/** The same where other days come into question. */
const nearMs = 31 * 86_400_000;
/** How many KBs must contradict a date. */
const witnesses = 3;

export class KbNumberOrder {
  /** The most KBs whose dates rise with their numbers. */
  readonly #rising: readonly NumberedKb[];

  /** `dates`: by KB, as documents state them. */
  constructor(dates: ReadonlyMap<string, number>) {
    const kbs = [...dates]
      .map(([kb, date]) => ({ number: numberOf(kb), date }))
      .toSorted((a, b) => a.number - b.number || a.date - b.date);
    this.#rising = longestRising(kbs);
  }

  isTooEarly(kb: string, date: number): boolean {
    const earliest = this.earliest(kb);
    return earliest !== null && earliest - date > toleranceMs;
  }

  /** Between the dates of its neighbours. */
  isNear(kb: string, date: number): boolean {
    const [earliest, latest] = [this.earliest(kb), this.#latest(kb)];
    return date >= (earliest ?? 0) - nearMs && date <= (latest ?? Infinity) + nearMs;
  }

  isTooLate(kb: string, date: number): boolean {
    const latest = this.#latest(kb);
    return latest !== null && date - latest > toleranceMs;
  }

  /** The date of a KB with a lower number that several others confirm; null where too few are known. */
  earliest(kb: string): number | null {
    return this.#rising[this.#countBelow(numberOf(kb)) - witnesses]?.date ?? null;
  }

  #latest(kb: string): number | null {
    return this.#rising[this.#countBelow(numberOf(kb) + 1) + witnesses - 1]?.date ?? null;
  }

  #countBelow(number: number): number {
    let [low, high] = [0, this.#rising.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rising[middle]?.number ?? Infinity) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const numberOf = (kb: string) => Number(kb.slice('KB'.length));

/** The longest subsequence whose dates do not fall. */
function longestRising(kbs: readonly NumberedKb[]): NumberedKb[] {
  interface Link {
    readonly kb: NumberedKb;
    readonly previous: Link | null;
  }
  const ends: Link[] = [];
  for (const kb of kbs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.kb.date ?? Infinity) <= kb.date) low = middle + 1;
      else high = middle;
    }
    ends[low] = { kb, previous: ends[low - 1] ?? null };
  }
  const rising: NumberedKb[] = [];
  for (let link = ends.at(-1) ?? null; link !== null; link = link.previous) rising.push(link.kb);
  return rising.toReversed();
}
