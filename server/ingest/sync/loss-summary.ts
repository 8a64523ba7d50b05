/** Summarizes the quarantined records of a list for an administrator: counts, losses and examples. */
import type { QuarantineEntry } from '@patch/contract/quarantine-entry.ts';
import { type ContentDifference, formatDifference } from './content-loss.ts';

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
