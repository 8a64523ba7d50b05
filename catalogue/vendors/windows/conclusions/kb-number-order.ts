/**
 * KB numbers rise with time, though not strictly: Microsoft reserves some of them weeks ahead. A date far before the dates of several KBs
 * with lower numbers is not the day of the KB, which was added to an older document.
 */
interface NumberedKb {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly date: number;
}

/** How long before its release a number may be reserved. */
const toleranceMs = 90 * 86_400_000;
/** The same limit for choosing between other dates. */
const nearMs = 31 * 86_400_000;
/** Number of KBs that must contradict a date. */
const minWitnesses = 3;

export class KbNumberOrder {
  /** The longest sequence of KBs whose dates rise with their numbers. */
  readonly #rising: readonly NumberedKb[];

  /** @param dates by KB, as documents state them */
  constructor(dates: ReadonlyMap<string, number>) {
    const kbs = [...dates]
      .map(([kb, date]) => ({ number: parseKbNumber(kb), date }))
      .toSorted((a, b) => a.number - b.number || a.date - b.date);
    this.#rising = findLongestRising(kbs);
  }

  isTooEarly(kb: string, date: number): boolean {
    const earliest = this.earliest(kb);
    return earliest !== null && earliest - date > toleranceMs;
  }

  /** Tells whether the date lies between the dates of its neighbours, with tolerance. */
  isNear(kb: string, date: number): boolean {
    const [earliest, latest] = [this.earliest(kb), this.#latest(kb)];
    return date >= (earliest ?? 0) - nearMs && date <= (latest ?? Infinity) + nearMs;
  }

  isTooLate(kb: string, date: number): boolean {
    const latest = this.#latest(kb);
    return latest !== null && date - latest > toleranceMs;
  }

  /** Returns the date of a KB with a lower number that several others confirm; null when too few are known. */
  earliest(kb: string): number | null {
    return this.#rising[this.#countBelow(parseKbNumber(kb)) - minWitnesses]?.date ?? null;
  }

  #latest(kb: string): number | null {
    return this.#rising[this.#countBelow(parseKbNumber(kb) + 1) + minWitnesses - 1]?.date ?? null;
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

const parseKbNumber = (kb: string) => Number(kb.slice('KB'.length));

/** Returns the longest subsequence whose dates do not decrease. */
function findLongestRising(kbs: readonly NumberedKb[]): NumberedKb[] {
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
