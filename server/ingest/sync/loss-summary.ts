/** Summarises for an administrator the records of a list that would lose content, or change with those that do: how many, what they lose, some by name. */
import type { QuarantineEntry } from '@patch/contract/quarantine-entry.ts';
import { type ChangedPlace, changeText } from './content-loss.ts';

export const examplesShown = 10;
const changesShown = 10;
const placesNamed = 3;

export class LossSummary {
  /** The hash of the new content by row id. */
  readonly fingerprints = new Map<string, string>();
  readonly #rowsByLabel = new Map<string, number>();
  /** Losses in words, by the record's name: of several rows of one KB the first is enough. */
  readonly #examples = new Map<string, string[]>();

  add(rowId: string, contentHash: string, name: string, changes: readonly ChangedPlace[]): void {
    this.fingerprints.set(rowId, contentHash);
    // A fact and a table can have one label.
    for (const label of new Set(changes.map((change) => change.label))) this.#count(label, 1);
    if (this.#examples.size < examplesShown && !this.#examples.has(name)) {
      this.#examples.set(name, changes.slice(0, changesShown).map(changeText));
    }
  }

  join(other: LossSummary): void {
    for (const [rowId, hash] of other.fingerprints) this.fingerprints.set(rowId, hash);
    for (const [label, rows] of other.#rowsByLabel) this.#count(label, rows);
    for (const [name, words] of other.#examples)
      if (this.#examples.size < examplesShown) this.#examples.set(name, words);
  }

  get losses(): QuarantineEntry['losses'] {
    return [...this.#rowsByLabel]
      .map(([label, records]) => ({ label, records }))
      .toSorted((a, b) => b.records - a.records);
  }

  get examples(): QuarantineEntry['examples'] {
    return [...this.#examples].map(([name, losses]) => ({ name, losses }));
  }

  /** The fields and tables with most of the records, and how many there are in all. */
  get mostLosses() {
    const { losses } = this;
    return { first: losses.slice(0, placesNamed), total: losses.length };
  }

  #count(label: string, rows: number): void {
    this.#rowsByLabel.set(label, (this.#rowsByLabel.get(label) ?? 0) + rows);
  }
}
