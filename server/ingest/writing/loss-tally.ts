/** Distinguishes a publication that has lost content from routine changes by counting losses in constant memory, and summarizes them for an administrator. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';
import { type ChangedElements, type ContentDifference, formatDifference } from './content-loss.ts';

/** Fewer vendor records may change in any way. Rows of one KB or bulletin count as one. */
const minNames = 3;
/** Any number of records may lose fewer distinct elements, such as a CVE that is removed from all rows of a KB. */
const minElements = 10;
/** Fewer rows may lose a single value or a small share of their elements. */
const minRows = 20;

/** A set of at most a few distinct words. */
class CappedSet {
  readonly #words = new Set<string>();
  readonly #maxSize: number;
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }
  get isFull(): boolean {
    return this.#words.size >= this.#maxSize;
  }
  add(word: string): void {
    if (!this.isFull) this.#words.add(word);
  }
}

/** Losses in one field, fact or table of a list. */
class FieldLosses {
  rows = 0;
  readonly names = new CappedSet(minNames);
  readonly elements = new CappedSet(minElements);
  /** Names of records that lose more than the share of their elements. */
  readonly deepNames = new CappedSet(minNames);
  readonly deepElements = new CappedSet(minElements);
  singleValues = false;
}

export class LossTally {
  readonly #share: number;
  readonly #lossesByList = new Map<ListDefinition, Map<string, FieldLosses>>();

  /** @param share percent that may be lost without approval */
  constructor(share: number) {
    this.#share = share;
  }

  /** Adds the losses of a row. @param name of the vendor record; rows with the same name count as one */
  add(list: ListDefinition, name: string, losses: readonly ContentDifference[]): void {
    for (const loss of losses) {
      const fieldLosses = this.#getLosses(list, loss.name);
      fieldLosses.rows += 1;
      fieldLosses.names.add(name);
      if (loss.kind === 'value') fieldLosses.singleValues = true;
      else this.#addElements(fieldLosses, name, loss);
    }
  }

  /**
   * Returns true when in one field, fact or table either at least three vendor records lose more than the share of their elements, and
   * at least ten distinct elements in total; or at least twenty rows of at least three records, and more than the share of the compared
   * rows, lose a value, a rank, or some of at least ten distinct elements. Lists of replaced records count only for the second case.
   */
  isLarge(comparedRows: (list: ListDefinition) => number): boolean {
    return [...this.#lossesByList].some(([list, byName]) =>
      [...byName.values()].some((losses) => {
        if (losses.deepNames.isFull && losses.deepElements.isFull) return true;
        const isWide =
          losses.rows >= minRows &&
          losses.names.isFull &&
          losses.rows * 100 > comparedRows(list) * this.#share;
        return isWide && (losses.singleValues || losses.elements.isFull);
      }),
    );
  }

  #addElements(
    { elements, deepNames, deepElements }: FieldLosses,
    name: string,
    { lost, had, listsReplacedRecords }: ChangedElements,
  ): void {
    const isDeep = !listsReplacedRecords && lost.length * 100 > had * this.#share;
    if (isDeep) deepNames.add(name);
    const occurrences = new Map<string, number>();
    for (const element of lost) {
      if (elements.isFull && (!isDeep || deepElements.isFull)) return;
      // A table may have several rows with the same first column. Each counts as an element.
      const times = (occurrences.get(element) ?? 0) + 1;
      occurrences.set(element, times);
      elements.add(`${element} ${times}`);
      if (isDeep) deepElements.add(`${element} ${times}`);
    }
  }

  #getLosses(list: ListDefinition, name: string): FieldLosses {
    const byName = this.#lossesByList.get(list) ?? new Map<string, FieldLosses>();
    this.#lossesByList.set(list, byName);
    const losses = byName.get(name) ?? new FieldLosses();
    byName.set(name, losses);
    return losses;
  }
}

export const maxExamples = 10;
const maxChanges = 10;
const maxLabels = 3;

export class LossSummary {
  /** The hash of the new content by row id. */
  readonly fingerprints = new Map<string, string>();
  readonly #rowsByLabel = new Map<string, number>();
  /** Texts of losses by the name of the record. Only the first of several rows with the same name is included. */
  readonly #examples = new Map<string, string[]>();

  add(
    rowId: string,
    contentHash: string,
    name: string,
    changes: readonly ContentDifference[],
  ): void {
    this.fingerprints.set(rowId, contentHash);
    // Counts a label once, because a fact and a table can have the same label.
    for (const label of new Set(changes.map((change) => change.label))) this.#count(label, 1);
    if (this.#examples.size < maxExamples && !this.#examples.has(name)) {
      this.#examples.set(name, changes.slice(0, maxChanges).map(formatDifference));
    }
  }

  addAll(other: LossSummary): void {
    for (const [rowId, hash] of other.fingerprints) this.fingerprints.set(rowId, hash);
    for (const [label, rows] of other.#rowsByLabel) this.#count(label, rows);
    for (const [name, words] of other.#examples)
      if (this.#examples.size < maxExamples) this.#examples.set(name, words);
  }

  get losses(): QuarantineEntry['losses'] {
    return [...this.#rowsByLabel]
      .map(([label, records]) => ({ label, records }))
      .toSorted((a, b) => b.records - a.records);
  }

  get examples(): QuarantineEntry['examples'] {
    return [...this.#examples].map(([name, losses]) => ({ name, losses }));
  }

  /** Returns the fields and tables with the most records, and the count of all. */
  get mostLosses() {
    const { losses } = this;
    return { first: losses.slice(0, maxLabels), total: losses.length };
  }

  #count(label: string, rows: number): void {
    this.#rowsByLabel.set(label, (this.#rowsByLabel.get(label) ?? 0) + rows);
  }
}
