/** Tells a publication that lost content from routine changes: how many records lose how much, and where. Needs the same memory for any number of records. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { ChangedElements, ChangedPlace } from './content-loss.ts';

/** Rows of one KB or bulletin are one vendor record: fewer of those may change in any way. */
const fewNames = 3;
/** Fewer different elements may be taken away from any number of records: a CVE that a KB does not fix after all stands in all its rows. */
const fewElements = 10;
/** Fewer rows may lose a single value, or a little of what they have. */
const fewRows = 20;

/** Holds the first few different words. */
class Few {
  readonly #words = new Set<string>();
  readonly #most: number;
  constructor(most: number) {
    this.#most = most;
  }
  get isFull(): boolean {
    return this.#words.size >= this.#most;
  }
  add(word: string): void {
    if (!this.isFull) this.#words.add(word);
  }
}

/** Of one field, fact or table of a list. */
class LossesThere {
  rows = 0;
  readonly names = new Few(fewNames);
  readonly elements = new Few(fewElements);
  /** Of records that lose more than the share of what they have there. */
  readonly deepNames = new Few(fewNames);
  readonly deepElements = new Few(fewElements);
  singleValues = false;
}

export class LossTally {
  readonly #share: number;
  readonly #places = new Map<ListDefinition, Map<string, LossesThere>>();

  /** `share`: percent that may be lost without being asked. */
  constructor(share: number) {
    this.#share = share;
  }

  /** `name`: what people call the vendor's record; rows of the same name count as one. */
  add(list: ListDefinition, name: string, losses: readonly ChangedPlace[]): void {
    for (const loss of losses) {
      const there = this.#there(list, loss.name);
      there.rows += 1;
      there.names.add(name);
      if (loss.kind === 'value') there.singleValues = true;
      else this.#addElements(there, name, loss);
    }
  }

  /**
   * Whether in one place either at least three vendor records lose more than the share of what they have there, ten different elements
   * or more together; or at least twenty rows, more than the share of those that were compared, lose anything: a value, a rank, or of
   * ten or more different elements some. The names of records that one replaces count for the second only.
   */
  isLarge(comparedRows: (list: ListDefinition) => number): boolean {
    return [...this.#places].some(([list, places]) =>
      [...places.values()].some((there) => {
        if (there.deepNames.isFull && there.deepElements.isFull) return true;
        const isWide =
          there.rows >= fewRows &&
          there.names.isFull &&
          there.rows * 100 > comparedRows(list) * this.#share;
        return isWide && (there.singleValues || there.elements.isFull);
      }),
    );
  }

  #addElements(
    { elements, deepNames, deepElements }: LossesThere,
    name: string,
    { lost, had, namesOlder }: ChangedElements,
  ): void {
    const isDeep = !namesOlder && lost.length * 100 > had * this.#share;
    if (isDeep) deepNames.add(name);
    const met = new Map<string, number>();
    for (const element of lost) {
      if (elements.isFull && (!isDeep || deepElements.isFull)) return;
      // A table may have several rows of one name: each is an element.
      const times = (met.get(element) ?? 0) + 1;
      met.set(element, times);
      elements.add(`${element} ${times}`);
      if (isDeep) deepElements.add(`${element} ${times}`);
    }
  }

  #there(list: ListDefinition, place: string): LossesThere {
    const places = this.#places.get(list) ?? new Map<string, LossesThere>();
    this.#places.set(list, places);
    const there = places.get(place) ?? new LossesThere();
    places.set(place, there);
    return there;
  }
}
